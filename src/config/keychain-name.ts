/** What people call the keychain of a platform. */
export function keychainName(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'Keychain';
  return platform === 'win32' ? 'Credential Manager' : 'Secret Service';
}
