/**
 * Defines a slash command. All of it stands in one file, or in one folder if it is long: its names, its argument, its help, when it is
 * offered, and what it does.
 *
 * The table of commands is also read where there is no conversation, such as by `zotui -p`. So a command imports types of the
 * program, and what it calls is in `app`; code that needs more than that is in a file beside it, which `run` loads.
 */
import type { AppCommand } from '../app/command-app.ts'

/** What most commands do not need. */
const usual = {
  kind: 'built-in',
  aliases: [],
  argument: null,
  completes: null,
  needs: [],
  abilities: [],
  needsIdle: false,
  opensList: () => false,
  replacesAgent: () => false,
  sendsPrompt: false,
} as const satisfies Partial<AppCommand>

type Required = 'name' | 'group' | 'help' | 'run'

export function slashCommand(
  facts: Pick<AppCommand, Required> & Partial<Omit<AppCommand, Required | 'kind'>>,
): AppCommand {
  return { ...usual, ...facts }
}
