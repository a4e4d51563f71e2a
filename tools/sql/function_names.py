"""Names of functions that do more than compute, and of functions that may stand in FROM.

Names are lower case; `*` at the end means any that begin so. One list serves all dialects, so that
a database that is described wrongly is no way around it; names that are common elsewhere are
listed for their own dialects alone.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tools.sql.dialects import POSTGRES, SPARK
from tools.sql.refusal import Reason, names

DANGERS: Mapping[Reason, str] = MappingProxyType(
    {
        "files": (
            "pg_read_file pg_read_binary_file pg_ls_* pg_stat_file pg_file_* pg_current_logfile "
            "load_file readfile writefile bfilename read_csv* read_json* read_ndjson* "
            "read_parquet read_text read_blob read_xlsx read_avro read_files parquet_* csv_scan* "
            "sniff_csv st_read* st_drivers shapefile_meta openrowset xp_* fn_get_audit_file "
            "fn_trace_get* fn_xe_file_target_read_file fn_dump_dblog get_presigned_url to_file "
            "build_scoped_file_url build_stage_file_url iceberg_* delta_scan sqlite_scan* "
            "in_file sqlite_attach "
            "zipfile fsdir xmlfile utl_file* st_asgdalraster st_fromgdalraster getenv"
        ),
        "large-objects": "lo_* loread lowrite loopen",
        "network": (
            "dblink* openquery opendatasource external_query http* curl* "
            "utl_* postgres_* mysql_* apex_web_service uritype dburitype "
            "remote remotesecure s3* gcs hdfs azureblobstorage* deltalake* hudi* odbc jdbc "
            "mongodb redis send_mail aws_* azure_storage* google_ml* hascolumnintable"
        ),
        "programs": (
            "load_extension sys_exec sys_eval sys_get sys_set executable fts3_tokenizer "
            "java_method try_reflect lib_mysqludf* shell plpython* run_command_on_* exec execute"
        ),
        "waits": (
            "pg_sleep* sleep sleepeachrow benchmark waitfor system$wait get_lock release_lock "
            "release_all_locks master_pos_wait source_pos_wait wait_for_executed_gtid_set "
            "wait_until_sql_thread_after_gtids"
        ),
        "server": (
            # PostgreSQL has hundreds that control the server; SAFE names those that only look.
            "pg_* system$* kill shutdown checkpoint force_checkpoint crdb_internal.*"
        ),
        "state": (
            "set_config setval nextval setseed addgeometrycolumn dropgeometry* "
            "updategeometrysrid populate_geometry_columns create_hypertable drop_chunks "
            "cron.* partman.* create_graph drop_graph sp_* add_job delete_job alter_job "
            "add_dimension add_compression_policy add_retention_policy add_reorder_policy "
            "add_continuous_aggregate_policy remove_compression_policy remove_retention_policy "
            "remove_reorder_policy remove_continuous_aggregate_policy compress_chunk "
            "decompress_chunk move_chunk reorder_chunk set_chunk_time_interval "
            "attach_tablespace detach_tablespace* brin_summarize* brin_desummarize* "
            "gin_clean_pending_list heap_force_* citus_* master_* create_distributed_table "
            "create_reference_table undistribute_table alter_distributed_table "
            "group_replication_* asynchronous_connection_failover_* keyring_* audit_log_* "
            "version_tokens_* generateserialid"
        ),
        "runs-text": (
            "query_to_xml* cursor_to_xml* xpath_table ts_stat ts_rewrite crosstab* connectby "
            "json_execute_serialized_sql from_substrait* query_table dbms_* "
            "exec_sql execute_immediate sql_exec plsql_*"
        ),
        "models": (
            "ai_* ml_* ml.* cortex.* snowflake.cortex* vertex_* openai_* catboostevaluate "
            "modelevaluate generate_text generate_embedding generate_table"
        ),
    }
)
"""What functions do beside computing, in every dialect."""

OWN_DANGERS: Mapping[str, Mapping[Reason, str]] = MappingProxyType(
    {
        "sqlite": {"programs": "edit eval shell_*"},
        "clickhouse": {
            "files": "file filesystem*",
            "network": "url cluster* mysql postgresql sqlite",
            "server": "fuzz*",
        },
        "oracle": {
            "network": "httpuritype sys_dburigen ordsys sdo_util",
        },
        "tsql": {"files": "fn_*"},
        **{name: {"programs": "reflect reflect2"} for name in SPARK},
        **{name: {"runs-text": "query"} for name in POSTGRES},
    }
)
"""Names that are dangerous in one dialect and ordinary in others."""

SAFE = names(
    "pg_typeof pg_size_pretty pg_size_bytes pg_column_size pg_table_size pg_relation_size "
    "pg_total_relation_size pg_indexes_size pg_database_size pg_tablespace_size "
    "pg_encoding_to_char pg_char_to_encoding pg_client_encoding pg_backend_pid "
    "pg_postmaster_start_time pg_conf_load_time pg_is_in_recovery pg_has_role "
    "pg_describe_object pg_identify_object pg_my_temp_schema pg_is_other_temp_schema "
    "pg_trigger_depth pg_partition_root pg_collation_for pg_blocking_pids "
    "pg_last_committed_xact pg_snapshot_xmin pg_snapshot_xmax pg_current_snapshot "
    "dbms_lob.substr dbms_lob.getlength dbms_lob.instr dbms_lob.compare dbms_random.value "
    "dbms_random.string dbms_random.normal utl_raw.cast_to_varchar2 utl_raw.cast_to_raw "
    "utl_raw.length utl_match.edit_distance utl_match.edit_distance_similarity "
    "utl_match.jaro_winkler utl_match.jaro_winkler_similarity"
)
"""Names that a pattern above would catch."""

SAFE_BEGINNINGS = ("pg_get_", "pg_stat_get_")
"""Beginnings of names of functions that only look things up."""

TABLE_FUNCTIONS = names(
    "table unnest generate_series generate_subscripts range numbers numbers_mt zeros "
    "explode explode_outer posexplode posexplode_outer inline inline_outer stack json_tuple "
    "flatten generator split_to_table strtok_split_to_table result_scan array_to_table "
    "json_each json_each_text json_tree jsonb_each jsonb_each_text json_table openjson "
    "json_array_elements json_array_elements_text jsonb_array_elements "
    "jsonb_array_elements_text json_object_keys jsonb_object_keys json_to_record "
    "json_to_recordset jsonb_to_record jsonb_to_recordset json_populate_record "
    "json_populate_recordset jsonb_populate_record jsonb_populate_recordset "
    "jsonb_path_query regexp_split_to_table regexp_matches string_to_table string_split "
    "xmltable sequence values view null generaterandom arrayjoin "
    "generate_date_array generate_timestamp_array "
    "duckdb_tables duckdb_columns duckdb_views duckdb_schemas duckdb_types duckdb_functions "
    "aclexplode pg_get_keywords pg_partition_tree"
)
"""Functions that make rows of their arguments alone, or of what the account may read anyhow."""
