"""Prints what DuckDB shows of views of a copy, and what pyarrow reads of their files, as JSON in which every number is a string."""

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


os.chdir(sys.argv[1])
engine = duckdb.connect()
engine.execute("SET TimeZone = 'UTC'")
with open("schema.sql", encoding="utf-8") as file:
    engine.execute(file.read())
seen = {}
for view in sys.argv[2:]:
    quoted = '"' + view.replace('"', '""') + '"'
    types = {name: kind for name, kind, *_ in engine.execute("DESCRIBE " + quoted).fetchall()}
    rows = engine.sql("SELECT * FROM " + quoted + " ORDER BY ALL").to_arrow_table().to_pylist()
    read = []
    for path in sorted(glob.glob(glob.escape(view) + "/**/*.parquet", recursive=True)):
        read += pyarrow.parquet.ParquetFile(path).read().to_pylist()
    seen[view] = {"types": types, "rows": plain(rows), "pyarrow": plain(read)}
print(json.dumps(seen))
