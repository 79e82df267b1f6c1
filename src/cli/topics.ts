/** What each group of commands is about; the first line of its help. A test compares the keys with the folders. */
export const TOPICS: Readonly<Record<string, string>> = {
  buyers: 'Buyers: the persons and companies that pay.',
  emulator: 'The emulator: the service in small, on this machine, to try payctl and to test scripts against.',
};

/** The first lines of `payctl --help`. */
export const ROOT_HELP_HEAD = `Administer a payment orchestration service from the command line.

USAGE
  $ payctl COMMAND [FLAGS]

Try it without an account: payctl buyers list --profile emulator`;

/** The last lines of the help of the program and of its topics. */
export const ROOT_HELP_TAIL = `Add --help to a command for its flags and examples.`;
