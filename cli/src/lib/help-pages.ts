/** Help pages that do not belong to a command: the word after `homing help`, and what the page is about. */
export const HELP_PAGES = {
  'exit-codes': 'The exit codes of commands.',
  environment: 'The environment variables that commands read.',
} as const
