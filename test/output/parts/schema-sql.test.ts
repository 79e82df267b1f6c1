import { expect, it } from 'vitest';
import { schemaSql } from '../../../src/output/parts/schema-sql.ts';

const columns = [
  { name: 'id', type: 'text' },
  { name: 'merchant_account_id', type: 'text' },
  { name: 'a "b"', type: { struct: [{ name: 'n', type: 'int64' }] } },
  { name: 'flags', type: { list: 'boolean' } },
] as const;

const resource = { name: 'gift-cards', partition: ['merchant_account_id'], columns, id: 'id' };

it('names every column with its type, and infers none', () => {
  expect(schemaSql([{ ...resource, format: 'ndjson', ending: '.ndjson.zst' }])).toMatchInlineSnapshot(`
    "-- Views of this copy for DuckDB. Run it in this folder: duckdb -init schema.sql

    CREATE OR REPLACE VIEW "gift-cards" AS
    WITH r AS (
      SELECT
        "id" AS "id",
        CASE WHEN "a ""b""" IS NOT NULL THEN struct_pack("n" := TRY_CAST(regexp_replace(regexp_extract(("a ""b""")."n", '^(-?[0-9]+|-?[0-9]{1,15}\\.0)$', 1), '\\.0$', '') AS BIGINT)) END AS "a ""b""",
        list_transform("flags", lambda e0: CASE e0 WHEN 'true' THEN true WHEN 'false' THEN false END) AS "flags",
        CASE WHEN regexp_full_match("_synced_at", '"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"') THEN TRY_CAST("_synced_at" AS TIMESTAMPTZ) END AS "_synced_at",
        CASE "_deleted" WHEN 'true' THEN true WHEN 'false' THEN false END AS "_deleted",
        _payctl_key,
        "merchant_account_id"
      FROM (SELECT
        "id" ->> '$' AS "id",
        TRY_CAST("a ""b""" AS STRUCT("n" JSON)) AS "a ""b""",
        TRY_CAST("flags" AS JSON[]) AS "flags",
        TRY_CAST("_synced_at" AS JSON) AS "_synced_at",
        TRY_CAST("_deleted" AS JSON) AS "_deleted",
        CAST("id" AS VARCHAR) AS _payctl_key,
        "merchant_account_id"
      FROM read_json('gift-cards/*/*.ndjson.zst', hive_partitioning = true, hive_types = {'merchant_account_id': VARCHAR}, format = 'newline_delimited', maximum_object_size = 268435456,
      columns = {
        'id': 'JSON',
        'a "b"': 'JSON',
        'flags': 'JSON',
        '_synced_at': 'JSON',
        '_deleted': 'JSON'
      }))
    ), n AS (
      SELECT "merchant_account_id", "_payctl_key", max(_synced_at) AS newest FROM r WHERE _synced_at IS NOT NULL GROUP BY ALL
    )
    SELECT r.* EXCLUDE (_deleted, _payctl_key) FROM r LEFT JOIN n ON r."merchant_account_id" = n."merchant_account_id" AND r."_payctl_key" = n."_payctl_key"
    WHERE r._synced_at IS NOT DISTINCT FROM n.newest AND (r._deleted IS NOT TRUE OR r._synced_at IS NULL);
    "
  `);
  expect(
    schemaSql([{ ...resource, format: 'csv', ending: '.csv', partition: [], id: 'a "b".n' }]),
  ).toMatchInlineSnapshot(`
    "-- Views of this copy for DuckDB. Run it in this folder: duckdb -init schema.sql

    CREATE OR REPLACE VIEW "gift-cards" AS
    WITH r AS (
      SELECT *, coalesce(TRY(CAST(json_extract(_raw, '$."a \\"b\\""."n"') AS VARCHAR)), TRY(regexp_replace(CAST(to_json("a ""b"".n") AS VARCHAR), '\\.0$', ''))) AS _payctl_key
      FROM read_csv('gift-cards/*.csv', auto_detect = false, header = true,
      new_line = '\\r\\n', delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, max_line_size = 268435456,
      columns = {
        'id': 'VARCHAR',
        'merchant_account_id': 'VARCHAR',
        'a "b".n': 'BIGINT',
        'flags': 'VARCHAR',
        '_synced_at': 'TIMESTAMPTZ',
        '_deleted': 'BOOLEAN',
        '_raw': 'VARCHAR'
      })
    ), n AS (
      SELECT "_payctl_key", max(_synced_at) AS newest FROM r WHERE _synced_at IS NOT NULL GROUP BY ALL
    )
    SELECT r.* EXCLUDE (_deleted, _payctl_key) FROM r LEFT JOIN n ON r."_payctl_key" = n."_payctl_key"
    WHERE r._synced_at IS NOT DISTINCT FROM n.newest AND (r._deleted IS NOT TRUE OR r._synced_at IS NULL);
    "
  `);
  expect(schemaSql([{ ...resource, format: 'parquet', ending: '.parquet' }])).toMatchInlineSnapshot(`
    "-- Views of this copy for DuckDB. Run it in this folder: duckdb -init schema.sql

    CREATE OR REPLACE VIEW "gift-cards" AS
    WITH r AS (
      SELECT *, coalesce(TRY(CAST(json_extract(_raw, '$."id"') AS VARCHAR)), TRY(regexp_replace(CAST(to_json("id") AS VARCHAR), '\\.0$', ''))) AS _payctl_key
      FROM read_parquet('gift-cards/*/*.parquet', hive_partitioning = true, hive_types = {'merchant_account_id': VARCHAR}, union_by_name = true)
    ), n AS (
      SELECT "merchant_account_id", "_payctl_key", max(_synced_at) AS newest FROM r WHERE _synced_at IS NOT NULL GROUP BY ALL
    )
    SELECT r.* EXCLUDE (_deleted, _payctl_key) FROM r LEFT JOIN n ON r."merchant_account_id" = n."merchant_account_id" AND r."_payctl_key" = n."_payctl_key"
    WHERE r._synced_at IS NOT DISTINCT FROM n.newest AND (r._deleted IS NOT TRUE OR r._synced_at IS NULL);
    "
  `);
});
