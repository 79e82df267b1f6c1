/** Words that users of other tools type, each with the words of payctl that they may mean, the likeliest first. */
export type Synonyms = Readonly<Record<string, readonly string[]>>;

/** For whole commands and for topics of the help. */
export const COMMAND_SYNONYMS: Synonyms = synonyms([
  ['whoami who me current credentials status', ['auth status']],
  ['signin sign-in authenticate setup init', ['auth login']],
  ['signout sign-out', ['auth logout']],
  ['jwt tokens sign', ['auth token']],
  ['decode', ['auth inspect']],
  ['use switch', ['profiles use']],
  ['configure', ['profiles set']],
  ['check diagnose diagnostics ping health test integration', ['doctor']],
  ['serve', ['emulator start']],
  ['search find lookup', ['buyers find']],
  ['refund', ['transactions refunds create']],
  ['resend redeliver', ['webhooks replay']],
  ['request curl', ['api get']],
  ['tail', ['api-logs tail', 'api-logs list']],
  ['completions autocomplete', ['completion']],
  ['agent agents llm', ['help agents']],
  ['env environment variables environment-variables', ['help environment']],
  ['exit-code exit-codes exitcodes codes', ['help exit-codes']],
  ['flag flags options global-flags', ['help flags']],
  ['format formats output', ['help formats']],
  ['amount amounts money', ['help money']],
  ['settings precedence', ['help settings']],
  ['time times timezone', ['help times']],
]);

/** For groups of commands. */
export const GROUP_SYNONYMS: Synonyms = synonyms([
  ['customer customers client clients shoppers', ['buyers']],
  ['card cards credit-cards methods instruments sources', ['payment-methods']],
  ['webhook-endpoints hooks subscriptions', ['webhook-subscriptions']],
  ['log logs requests fail failures errors integration why', ['api-logs']],
  ['audit event events activity history', ['audit-logs', 'webhooks']],
  ['checkout checkouts', ['checkout-sessions']],
  ['session sessions', ['checkout-sessions', 'payment-service-definitions sessions']],
  ['wallet wallets apple-pay google-pay', ['digital-wallets']],
  ['permissions scopes member members user users team staff', ['roles']],
  ['gift-card gift-cards giftcards', ['buyers gift-cards']],
  ['shipping shipping-details address addresses', ['buyers shipping-details']],
  ['payment payments charge charges', ['transactions']],
  ['refund', ['transactions refunds']],
  ['services payment-services providers', ['payment-service-definitions']],
  ['config configs configuration context contexts account accounts', ['profiles']],
  ['mock simulator server local', ['emulator']],
]);

/** For the last word of a command. */
export const VERB_SYNONYMS: Synonyms = synonyms([
  ['ls all index filter query', ['list']],
  ['search find lookup', ['find', 'list']],
  ['list get show view read describe info fetch retrieve', ['show', 'get', 'status', 'list']],
  ['current which whoami ps', ['show', 'status']],
  ['add new make create', ['create', 'set', 'login', 'start']],
  ['edit change modify put patch update', ['update', 'set']],
  ['rm remove del delete destroy', ['delete', 'remove', 'reset', 'logout']],
  ['clear clean wipe', ['reset', 'delete']],
  ['switch select activate default', ['use']],
  ['run serve up restart', ['start']],
  ['stop quit kill down end', ['stop']],
  ['signin sign-in', ['login']],
  ['signout sign-out revoke', ['logout']],
  ['sign print', ['token', 'show']],
  ['check decode verify', ['inspect', 'status']],
  ['follow watch tail', ['tail', 'list']],
  ['stats', ['summary', 'list']],
  ['resend redeliver', ['replay', 'retry']],
  ['resume continue retry', ['apply', 'replay']],
]);

function synonyms(rows: readonly (readonly [words: string, meant: readonly string[]])[]): Synonyms {
  return Object.fromEntries(rows.flatMap(([words, meant]) => words.split(' ').map((word) => [word, meant])));
}
