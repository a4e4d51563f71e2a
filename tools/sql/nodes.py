"""The parts of SQL that a query which only reads is made of, as sqlglot names them."""

from collections.abc import Mapping
from types import MappingProxyType

from sqlglot import exp

from tools.sql.refusal import Reason, names

ALLOWED = names(
    "Add Adjacent Alias Aliases All Any AtIndex AtTimeZone Between BitString BitwiseAnd "
    "BitwiseLeftShift BitwiseNot BitwiseOr BitwiseRightShift BitwiseXor Boolean Bracket "
    "ByteString CTE CharacterSet Cluster Column ColumnDef Comprehension Connect Cube DPipe "
    "DataType DataTypeParam Distance Distinct Distribute Div Dot EQ Escape Except "
    "ExtendsLeft ExtendsRight Fetch Filter Final ForClause FormatJson From FromTimeZone GT "
    "GTE Glob Group GroupingSets Having HavingMax Heredoc HexString HistoricalData ILike "
    "Identifier IgnoreNulls In IndexTableHint IntDiv Intersect Interval IntervalSpan "
    "Introducer Is JSON JSONColumnDef JSONExtractQuote JSONKeyValue JSONPath JSONPathFilter "
    "JSONPathKey JSONPathRecursive JSONPathRoot JSONPathScript JSONPathSelector "
    "JSONPathSlice JSONPathSubscript JSONPathUnion JSONPathWildcard JSONSchema JSONValue Join "
    "Kwarg LT LTE Lambda Lateral Like Limit LimitOptions Literal MatchRecognize "
    "MatchRecognizeMeasure Mod Mul NEQ National Neg NestedJSONSelect Not Null NullSafeEQ "
    "NullSafeNEQ Offset OnCondition OpenJSONColumnDef Opclass Operator Order Ordered "
    "OverflowTruncateBehavior Overlaps Parameter Paren Pivot PivotAlias PivotAny "
    "PositionalColumn PreWhere Prior PropertyEQ PseudoType Pseudocolumn Qualify QueryOption "
    "RawString RecursiveWithSearch RespectNulls Rollup Schema Select SessionParameter "
    "SimilarTo Slice Sort Star Sub Subquery Table TableAlias TableColumn TableFromRows "
    "TableSample TranslateCharacters Tuple UnicodeString Union UnpivotColumns Values Var "
    "Variadic Version Where Window WindowSpec With WithFill WithTableHint WithinGroup "
    "XMLKeyValueOption XMLNamespace"
)
"""Nodes that are no functions: everything else is refused."""

REASONS: Mapping[type[exp.Expr], Reason] = MappingProxyType(
    {
        exp.Insert: "writes-inside",
        exp.Update: "writes-inside",
        exp.Delete: "writes-inside",
        exp.Merge: "writes-inside",
        exp.Into: "into",
        exp.Lock: "lock",
        exp.Placeholder: "bind",
        exp.QueryTransform: "programs",
        exp.Hint: "executable-comment",
        exp.NextValueFor: "state",
        exp.ReadCSV: "files",
        exp.ReadParquet: "files",
        exp.ToFile: "files",
        exp.Secret: "files",
        exp.Predict: "models",
        exp.MLForecast: "models",
        exp.MLTranslate: "models",
        exp.AIAgg: "models",
        exp.AIClassify: "models",
        exp.AIEmbed: "models",
        exp.AIForecast: "models",
        exp.AIGenerate: "models",
        exp.AISimilarity: "models",
        exp.AISummarizeAgg: "models",
        exp.GenerateBool: "models",
        exp.GenerateDouble: "models",
        exp.GenerateEmbedding: "models",
        exp.GenerateInt: "models",
        exp.GenerateTable: "models",
        exp.GenerateText: "models",
        exp.VectorSearch: "models",
        exp.FeaturesAtTime: "models",
        exp.DynamicIdentifier: "runs-text",
    }
)
"""What a node is refused for, where there is more to say than that it is on no list."""

TABLE_NODES = (
    exp.Explode,
    exp.ExplodingGenerateSeries,
    exp.Flatten,
    exp.GenerateDateArray,
    exp.GenerateSeries,
    exp.GenerateTimestampArray,
    exp.Generator,
    exp.Inline,
    exp.JSONTable,
    exp.OpenJSON,
    exp.Posexplode,
    exp.SplitToTable,
    exp.Stack,
    exp.StrtokSplitToTable,
    exp.Unnest,
    exp.XMLTable,
)
"""Functions that may stand in FROM and have a node of their own."""

READING_HINTS = names(
    "NOLOCK READUNCOMMITTED READCOMMITTED READCOMMITTEDLOCK READPAST SNAPSHOT NOEXPAND FORCESCAN "
    "FORCESEEK INDEX NOWAIT"
)
"""Table hints of SQL Server that take no more locks than reading does."""

FILE_FORMATS = names("csv parquet json orc text delta avro binaryfile xml")
"""What Spark takes for a format, and the name behind it for a path: `parquet.`/data``."""

FILE_ENDINGS = names(
    "csv tsv txt parquet json jsonl ndjson gz zst bz2 xz zip xlsx xls db duckdb sqlite sqlite3 "
    "avro arrow feather orc geojson shp gpkg fgb wkb vortex lance"
)
"""Endings of names that DuckDB takes for files."""

VIRTUAL_TABLES = ("pragma_", "fsdir", "zipfile", "sqlite_dbpage", "completion", "fts5vocab")
"""Beginnings of names of SQLite's tables that are functions."""
