-- Views of this copy for DuckDB. Run it in this folder: duckdb -init schema.sql

CREATE OR REPLACE VIEW "buyers" AS
WITH r AS (
  SELECT
    "id" AS "id",
    "type" AS "type",
    "reconciliation_id" AS "reconciliation_id",
    "created_at" AS "created_at",
    "updated_at" AS "updated_at",
    "display_name" AS "display_name",
    "external_identifier" AS "external_identifier",
    "billing_details" AS "billing_details",
    "account_number" AS "account_number",
    "_synced_at" AS "_synced_at",
    CASE "_deleted" WHEN 'true' THEN true WHEN 'false' THEN false END AS "_deleted",
    "merchant_account_id"
  FROM (SELECT
    TRY_CAST("id" AS VARCHAR) AS "id",
    TRY_CAST("type" AS VARCHAR) AS "type",
    TRY_CAST("reconciliation_id" AS VARCHAR) AS "reconciliation_id",
    TRY_CAST("created_at" AS TIMESTAMPTZ) AS "created_at",
    TRY_CAST("updated_at" AS TIMESTAMPTZ) AS "updated_at",
    TRY_CAST("display_name" AS VARCHAR) AS "display_name",
    TRY_CAST("external_identifier" AS VARCHAR) AS "external_identifier",
    TRY_CAST("billing_details" AS STRUCT("first_name" VARCHAR, "last_name" VARCHAR, "email_address" VARCHAR, "phone_number" VARCHAR, "address" STRUCT("city" VARCHAR, "country" VARCHAR, "postal_code" VARCHAR, "state" VARCHAR, "state_code" VARCHAR, "house_number_or_name" VARCHAR, "line1" VARCHAR, "line2" VARCHAR, "organization" VARCHAR), "tax_id" STRUCT("value" VARCHAR, "kind" VARCHAR))) AS "billing_details",
    TRY_CAST("account_number" AS VARCHAR) AS "account_number",
    TRY_CAST("_synced_at" AS TIMESTAMPTZ) AS "_synced_at",
    TRY_CAST("_deleted" AS JSON) AS "_deleted",
    "merchant_account_id"
  FROM read_json('buyers/*/*.ndjson.zst', hive_partitioning = true, hive_types = {'merchant_account_id': VARCHAR}, format = 'newline_delimited', maximum_object_size = 268435456,
  columns = {
    'id': 'VARCHAR',
    'type': 'VARCHAR',
    'reconciliation_id': 'VARCHAR',
    'created_at': 'JSON',
    'updated_at': 'JSON',
    'display_name': 'VARCHAR',
    'external_identifier': 'VARCHAR',
    'billing_details': 'JSON',
    'account_number': 'VARCHAR',
    '_synced_at': 'JSON',
    '_deleted': 'JSON'
  }))
), n AS (
  SELECT "merchant_account_id", "id", max(_synced_at) AS newest FROM r WHERE _synced_at IS NOT NULL GROUP BY ALL
)
SELECT r.* EXCLUDE (_deleted) FROM r LEFT JOIN n ON r."merchant_account_id" = n."merchant_account_id" AND r."id" = n."id"
WHERE r._synced_at IS NOT DISTINCT FROM n.newest AND r._deleted IS NOT TRUE;
