/** The files that the package for npm may hold. */
export const PACKAGED =
  /^(package\.json|README\.md|LICENSE|bin\/(run\.js|package\.json)|share\/(lnav\/payctl-api-logs\.json|skills\/payctl\/SKILL\.md)|dist\/client\.js|dist\/(main|client|help|complete|profile-name|start|(commands|chunks)\/[a-z0-9/-]+)\.cjs|dist\/help\/[a-z/-]+\.txt|dist\/(help\.json|jq\.wasm)\.zst|dist\/completion\.jsonl|dist\/man\/payctl[a-z-]*\.[17]\.gz|dist\/types\/[a-z/-]+\.d\.ts|dist\/(THIRD-PARTY-LICENCES\.txt|sbom\.cdx\.json))$/;

/** The most that it may be when it is unpacked, in bytes. */
export const LARGEST_PACKAGE = 3_000_000;
