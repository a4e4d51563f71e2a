# Databases, tables and datasets.
yes = yes
no = no
which-schema = Which schema do you mean? Known: { $known }.
no-such-schema = There is no schema “{ $name }” here, or you may not see it. Known: { $known }.
no-such-table = There is no table “{ $name }” in the schema { $schema } of the database { $database }, or the account of your role may not see it.
near-tables = Similar: { $names }.
explore-databases = { $n ->
    [one] { $n } database ({ $place }).
   *[other] { $n } databases ({ $place }).
}
explore-schemas = { $n ->
    [one] { $n } schema ({ $place }).
   *[other] { $n } schemas ({ $place }).
}
explore-tables = { $n ->
    [one] { $n } table or view ({ $place }).
   *[other] { $n } tables and views ({ $place }).
}
explore-datasets = { $n ->
    [one] { $n } dataset ({ $place }).
   *[other] { $n } datasets ({ $place }).
}
explore-more = { $last } of { $total } shown. Say “next page” to see the rest.
explore-head-id = Id
explore-head-name = Name
explore-head-kind = Kind
explore-head-type = Type
explore-head-key = Key
explore-head-comment = Comment
explore-head-backend = Engine
explore-head-sql-lab = SQL Lab
explore-head-allow-dml = Writing allowed
explore-head-default = Default
explore-head-schema = Schema
explore-head-database = Database
explore-head-changed-on = Changed
explore-table = { $n ->
    [one] The table **{ $table }** (schema { $schema }, database { $database }): { $n } column.
   *[other] The table **{ $table }** (schema { $schema }, database { $database }): { $n } columns.
}
explore-index = Index { $name }: { $columns }
explore-index-unique = Unique index { $name }: { $columns }
explore-foreign = Foreign key { $columns } → { $target }
dataset-physical = The dataset **{ $name }** (id { $id }, { $environment }): a table in the schema { $schema } of the database { $database }.
dataset-virtual = The dataset **{ $name }** (id { $id }, { $environment }): a query of the database { $database }, schema { $schema }.
dataset-changed = Changed on { $when } by { $who }.
dataset-owners = Owners: { $names }.
dataset-same = Its columns are those of the database.
dataset-differs = The dataset differs from the database:
dataset-missing = not in the database: { $names }
dataset-new = new in the database: { $names }
dataset-retyped = { $name }: { $was } in the dataset, { $now } in the database
dataset-not-compared = Its columns could not be compared with the database: { $reason }
compare-template = the SQL of the dataset is a template, or does more than read, so it was not run.
compare-no-table = there is no such table in the database, or the account of your role may not see it.
dataset-environments = By environment:
place-there = { $environment }: id { $id }, database { $database }.
place-not-there = { $environment }: there is no such dataset, or you may not see it.
place-not-read = { $environment }: could not be read: { $problem }
place-by-name = Found by the name of its table: the uuid is another.
place-same = The columns are the same.
place-missing = Columns missing: { $names }.
place-new = More columns: { $names }.
on-charts = { $n ->
    [0] No charts stand on it.
    [one] { $n } chart stands on it{ $names }.
   *[other] { $n } charts stand on it{ $names }.
}
on-dashboards = { $n ->
    [0] No dashboards stand on it.
    [one] { $n } dashboard stands on it{ $names }.
   *[other] { $n } dashboards stand on it{ $names }.
}
on-rest = { $n ->
    [one] { $n } more is not named here.
   *[other] { $n } more are not named here.
}
on-hidden = { $n ->
    [one] { $n } more you may not see.
   *[other] { $n } more you may not see.
}
dataset-description = Description: { $words }
on-charts-unread = The charts could not be read: { $problem }
on-dashboards-unread = The dashboards could not be read: { $problem }
dataset-review = Described: { $described } of { $columns } columns, { $told } of { $metrics } metrics.
dataset-columns = { $n ->
    [one] { $n } column:
   *[other] { $n } columns:
}
dataset-calculated = Calculated: { $names }
dataset-metrics = Metrics: { $names }
database-failed = The database “{ $name }” cannot be read through Superset; it says: { $problem }
explore-catalogs = Catalogs: { $names }. The schemas are those of the database's usual one.
explore-catalogs-unread = Its catalogs could not be read: { $problem }
explore-view = { $n ->
    [one] The view **{ $table }** (schema { $schema }, database { $database }): { $n } column.
   *[other] The view **{ $table }** (schema { $schema }, database { $database }): { $n } columns.
}
dataset-certified = Certified by { $by }.
dataset-certified-what = Certified by { $by }: { $details }.
dataset-warning = Its owners warn: { $words }
dataset-documentation-not-set-up = Documentation is not set up yet.
compare-late = the database did not answer within { $seconds } seconds.
compare-no-right = the account of your role may not run SQL, and what a query gives shows only when it runs.
compare-failed = the database says: { $problem }
place-asks = reads need a person's agreement here; ask about that environment itself.
place-retyped = Other types: { $names }.
place-several = { $n ->
    [one] { $environment }: { $n } dataset has this name (id { $ids }), and none has this uuid. Nobody can tell whether it is the same.
   *[other] { $environment }: { $n } datasets have this name (ids { $ids }), and none has this uuid. Nobody can tell which is meant.
}
explore-kind-table = table
explore-kind-view = view
explore-kind-materialized-view = materialized view
explore-kind-physical = table
explore-kind-virtual = query
explore-kind-primary = primary
