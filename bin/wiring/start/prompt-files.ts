/** Commands from files: those of the project, the user's own, and those that come with zotui. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { namedApart } from '../../../src/app/context/commands/prompt-commands.ts'
import type { CommandSource, PromptCommand } from '../../../src/config/prompts/command.ts'
import { customCommands, userCommandsFolder } from '../../../src/config/prompts/custom-commands.ts'
import { shippedCommandsFolder } from '../../../src/config/prompts/shipped-folder.ts'
import type { Prompt } from '../../../src/agent/backend.ts'
import type { Trust } from '../../../src/config/trust/trust.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel, projectFolder } from '../../../src/platform/project.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { parseSlash } from '../../../src/state/slash.ts'

export function promptFiles(folder: string, home: string = homedir()): CommandSource {
  return customCommands(
    () => projectFolder(resolve(folder)),
    userCommandsFolder(),
    path => folderLabel(path, home),
    shippedCommandsFolder(),
  )
}

/** A prompt, and what was typed if that is something else. */
export type TypedPrompt = Pick<Prompt, 'text' | 'typed'>

/** The commands by the names under which they can be typed. */
export async function promptCommands(folder: string): Promise<PromptCommand[]> {
  const { commands } = await promptFiles(folder)()
  return namedApart(commands, slashCommands).commands
}

/**
 * Expands a command to its prompt. Any other text stays as it is, since an agent may have commands of its own. Until the user
 * trusts the project, the prompt of a project's file has no `typed`: it is shown in full.
 *
 * @throws UserError if the command cannot be used.
 */
export async function expandPrompt(text: string, folder: string, trust: Trust): Promise<TypedPrompt> {
  const slash = parseSlash(text, await promptCommands(folder))
  if (slash?.kind !== 'command' || slash.command.kind !== 'prompt') return { text }
  const { isOfProject } = slash.command
  const made = await commandPrompt(slash.command, slash.argument)
  return isOfProject === true && trust !== true ? made : { ...made, typed: text }
}

/** The prompt that a command makes of an argument. @throws UserError if the command cannot be used. */
export async function commandPrompt(command: PromptCommand, argument: string): Promise<{ text: string }> {
  const { name, problem, prompt } = command
  const made = problem === null ? await prompt(argument) : { ok: false as const, reason: problem }
  if (made.ok) return { text: made.text }
  throw new UserError(`/${name} ${made.reason}.`, '`zotui prompts` lists the commands.', 2)
}
