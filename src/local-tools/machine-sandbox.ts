import type { PermissionMode } from '../agent/permission.ts'
import { messageOf } from '../platform/errors.ts'
import type { CommandBoxes, SandboxOptions } from '../sandbox/command-boxes.ts'
import type { CommandSandbox } from '../sandbox/command-sandbox.ts'
import { sentence } from '../text/sentence.ts'
import { ToolFailure } from './tool.ts'

/** The sandbox of a conversation on this machine, loaded with its first command. */
export function machineSandbox(options: SandboxOptions): CommandSandbox {
  let mode: PermissionMode = 'ask'
  let loading: Promise<CommandBoxes> | null = null
  const load = (): Promise<CommandBoxes> =>
    (loading ??= import('../sandbox/command-boxes.ts').then(({ createCommandBoxes }) => createCommandBoxes(options)))
  const withoutIt = (): string =>
    options.level() === 'off'
      ? 'The user can work without it: /permissions ask asks before each command.'
      : 'The user can work without it: /sandbox off turns it off.'
  return {
    isOn: () => mode === 'contained' || options.level() !== 'off',
    follow: next => void (mode = next),
    async open(command) {
      try {
        return await (await load()).open(command)
      } catch (error) {
        throw new ToolFailure(`Not run: the sandbox cannot be made: ${sentence(messageOf(error))} ${withoutIt()}`)
      }
    },
    allowWriting: path => void loading?.then(boxes => boxes.allowWriting(path)),
    answerLeft: async (left, answer) => (await load()).answerLeft(left, answer),
    close: async () => (await loading)?.close(),
  }
}
