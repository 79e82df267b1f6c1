/** The lines of `profiles show` for the settings that a new profile does not have, after its merchant account. */
export const UNSET_SETTINGS = [
  ...['merchant_header', 'webhook_header_prefix', 'timeout', 'max_retries', 'output', 'utc', 'columns'],
  ...['max_amounts', 'max_totals', 'approvers', 'proxy', 'ca_file', 'client_certificate', 'client_key'],
  ...['rsa_algorithm', 'description'],
].map((name) => `${name}\t`);
