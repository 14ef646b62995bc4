/** `zotui completion SHELL` prints a completion script. */
import { print } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { completableCommands, type CompletableCommand } from '../completion/completable.ts'
import { zshScript } from '../completion/zsh.ts'

const scripts: ReadonlyMap<string, (commands: readonly CompletableCommand[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])

export const command: Subcommand = {
  name: 'completion',
  takes: ['SHELL'],
  words: ['bash', 'zsh', 'fish'],
  summary: 'Print the completion script of a shell.',
  flags: {},
  run: async (call, commands) => {
    const [shell = ''] = call.words
    print(scripts.get(shell)?.(completableCommands(commands)) ?? '')
    return 0
  },
}
