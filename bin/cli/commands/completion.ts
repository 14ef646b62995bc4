/** `zotui completion SHELL` prints a completion script. */
import { print } from '../../standard-streams.ts'
import type { ProgramCommand, CommandCall } from '../commands.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { completableCommands, type CompletableCommand } from '../completion/completable.ts'
import { zshScript } from '../completion/zsh.ts'

const scripts: ReadonlyMap<string, (commands: readonly CompletableCommand[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])

export async function run(call: CommandCall, commands: readonly ProgramCommand[]): Promise<0> {
  const [shell = ''] = call.words
  print(scripts.get(shell)?.(completableCommands(commands)) ?? '')
  return 0
}
