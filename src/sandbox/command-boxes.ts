/** The boxes of one conversation, and what the user has granted the commands in them. */
import { existsSync } from 'node:fs'
import type { BoxWant } from '../agent/permission.ts'
import { messageOf } from '../platform/errors.ts'
import { runShell, type CommandBox } from '../platform/shell/run.ts'
import { isWithin } from '../platform/within.ts'
import { refusalIn, type Refusal } from './refusal.ts'
import { writeBox } from './write-box.ts'

/** From the loosest to the strictest. `closed`: without a network. */
export type SandboxLevel = 'off' | 'on' | 'closed'

/** What the settings say. All paths are absolute. */
export type SandboxRules = {
  level: SandboxLevel
  /** Files and folders that may also be written. */
  write: readonly string[]
  /** Such as `*.github.com:443`. */
  hosts: readonly string[]
  /** Files and folders that must not be seen. */
  hide: readonly string[]
}

export type SandboxOptions = {
  level: () => SandboxLevel
  /** Read for each command in this folder: a change holds at once. */
  rules: (folder: string) => SandboxRules
  /** The folder for what the commands of a project keep between them. */
  cachesOf: (folder: string) => string
}

type BoxedCommand = {
  folder: string
  env: NodeJS.ProcessEnv
  ask: (want: BoxWant, signal: AbortSignal) => Promise<'no' | 'once' | 'session'>
}

/** A box, and what to call with the end of its command. `note` is for the model, '' for nothing. */
type OpenedBox = {
  box: CommandBox
  close(result: { exitCode: number | null; output: string }): Promise<{ note: string; refused: Refusal | null }>
}

export type CommandBoxes = {
  /** @throws an error of one line with the reason and what to do, where there can be no box. */
  open(command: BoxedCommand): Promise<OpenedBox>
  /** Lets later commands write this file or folder. */
  allowWriting(path: string): void
  /** Ends what was started for them. */
  close(): Promise<void>
}

export function createCommandBoxes({ rules, cachesOf }: SandboxOptions): CommandBoxes {
  const granted = new Set<string>()
  return {
    async open({ folder, env }) {
      const { write, hide } = rules(folder)
      const writable = [...write, ...granted]
      const box = await writeBox({ folder, env, write: writable, hide, caches: cachesOf(folder) }, null)
      return {
        box,
        close: async ({ exitCode, output }) => {
          if (exitCode === 0 || exitCode === null) return { note: '', refused: null }
          const isWritable = (path: string): boolean =>
            [folder, '/tmp', '/var/tmp', '/dev', ...writable].some(place => isWithin(place, path))
          const refused = refusalIn(output, { folder, isWritable, exists: existsSync })
          return { note: failedNote(folder, writable), refused }
        },
      }
    },
    allowWriting: path => void granted.add(path),
    close: async () => {},
  }
}

/** Why the commands of a folder cannot be held, and what to do; null if they can: a box was made and tried. Never rejects. */
export async function sandboxProblem(
  { rules, cachesOf }: SandboxOptions,
  { folder, env }: Pick<BoxedCommand, 'folder' | 'env'>,
): Promise<string | null> {
  try {
    const { write, hide } = rules(folder)
    const box = await writeBox({ folder, env, write, hide, caches: cachesOf(folder) }, null)
    const run = runShell({ command: 'true', cwd: folder, env, shell: '/bin/sh', box, limitBytes: 4096, onOutput() {} })
    const timer = setTimeout(() => run.stop(), PATIENCE)
    const { exitCode, problem, output } = await run.done
    clearTimeout(timer)
    return exitCode === 0 ? null : (problem ?? (output.trim().split('\n')[0] || 'a box does not end in time'))
  } catch (error) {
    return messageOf(error)
  }
}

/** Milliseconds for a box that does nothing. */
const PATIENCE = 5000

function failedNote(folder: string, writable: readonly string[]): string {
  const places = [folder, ...writable].join(', ')
  return `[sandbox] This command ran in a sandbox. It can write only in ${places}, and has no network.`
}
