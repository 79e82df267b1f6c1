"""
Answers each line of standard input, `{"folder": PATH, "views": [NAME]}`, with a line: what DuckDB shows of these views of the copy, and
what pyarrow reads of their files, as JSON in which every number is a string; or `{"error": MESSAGE}`.
"""

import datetime
import glob
import json
import os
import sys

import duckdb
import pyarrow.parquet


def plain(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def see(folder, views):
    os.chdir(folder)
    engine = duckdb.connect()
    engine.execute("SET TimeZone = 'UTC'")
    with open("schema.sql", encoding="utf-8") as file:
        engine.execute(file.read())
    seen = {}
    for view in views:
        quoted = '"' + view.replace('"', '""') + '"'
        types = {name: kind for name, kind, *_ in engine.execute("DESCRIBE " + quoted).fetchall()}
        rows = engine.sql("SELECT * FROM " + quoted + " ORDER BY ALL").to_arrow_table().to_pylist()
        read = []
        for path in sorted(glob.glob(glob.escape(view) + "/**/*.parquet", recursive=True)):
            read += pyarrow.parquet.ParquetFile(path).read().to_pylist()
        seen[view] = {"types": types, "rows": plain(rows), "pyarrow": plain(read)}
    return seen


for line in sys.stdin:
    try:
        answer = see(**json.loads(line))
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
