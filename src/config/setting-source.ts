/** Where the value of a setting came from. */
export type SettingSource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'profile'; readonly name: string }
  /** The profile that `profiles use` made the active one. */
  | { readonly kind: 'active' }
  | { readonly kind: 'default' };

/** The value that won, and the source that it won from. */
export type Setting<Value> = { readonly value: Value; readonly source: SettingSource };

/** A source as messages name it: `--timeout`, `PAYCTL_TIMEOUT`, `profile emulator`, `the active profile`, `default`. */
export function nameOfSource(source: SettingSource): string {
  switch (source.kind) {
    case 'flag':
    case 'environment':
      return source.name;
    case 'profile':
      return `profile ${source.name}`;
    case 'active':
      return 'the active profile';
    case 'default':
      return 'default';
  }
}
