"""Prints the IDs that dlt reads with programs that payctl made, and what a pipeline of the first one has after two runs, as JSON."""

import json
import runpy
import sys

import dlt
from dlt.sources.rest_api import rest_api_source

configs = [runpy.run_path(path)["config"] for path in sys.argv[1:]]
read = [[row["id"] for row in rest_api_source(config)] for config in configs]
pipeline = dlt.pipeline("payctl", destination="duckdb", dataset_name="lists")
for _ in range(2):
    pipeline.run(rest_api_source(configs[0]))
with pipeline.sql_client() as client:
    tables = {
        name: client.execute_sql(f"SELECT count(*), count(DISTINCT id) FROM {name}")[0]
        for name in pipeline.default_schema.data_table_names()
    }
print(json.dumps({"read": read, "tables": tables}))
