/** Runs the clipboard's tools: found in `PATH`, without a shell, and with a time limit. */
import { execa } from 'execa'
import { collect } from '../shell/collect.ts'
import { findProgram, helperEnvironment } from '../programs.ts'
import { formatBytes } from '../../text/format.ts'

export type ClipboardTools = {
  /** The first of these programs that is installed. */
  find(...names: readonly string[]): Promise<string | null>
  /** The tool's output; null if it fails, as most tools do if the clipboard has nothing of that type. Throws `ToolTrouble`. */
  read(file: string, args: readonly string[]): Promise<Buffer | null>
  /** Whether the tool took the text. Throws `ToolTrouble`. */
  write(file: string, args: readonly string[], input: string | Buffer): Promise<boolean>
}

/** A problem that the user should know: the message is a sentence. */
export class ToolTrouble extends Error {
  override readonly name = 'ToolTrouble'
}

/** The time limit for all calls of the tools together, in milliseconds. */
export const LIMIT = 3000
/** In bytes. Base64 and hex are longer than the image. */
const OUTPUT_LIMIT = 24_000_000

/** The place for which tools are looked for: their environment, the folder that zotui works in, and the system. */
export type ClipboardPlace = { env: NodeJS.ProcessEnv; folder: string; platform: NodeJS.Platform }

/** All calls together have `limit` milliseconds. */
export function createClipboardTools({ env: own, folder, platform }: ClipboardPlace, limit: number): ClipboardTools {
  const deadline = performance.now() + limit
  const env = helperEnvironment(own, folder)
  const options = () =>
    ({
      // pbcopy and pbpaste assume MacRoman otherwise.
      env: platform === 'darwin' ? { ...env, LC_ALL: 'en_US.UTF-8' } : env,
      extendEnv: false,
      reject: false,
      timeout: Math.max(1, Math.ceil(deadline - performance.now())),
      // In its own process group: the process that serves the clipboard from the background must outlive zotui and the terminal.
      killDescendants: true,
      killSignal: 'SIGKILL',
    }) as const

  const failed = (file: string): ToolTrouble =>
    new ToolTrouble(`${nameOf(file)} did not answer within ${limit / 1000} seconds.`)

  return {
    async find(...names) {
      for (const name of names) {
        const file = findProgram(name, env, folder, { platform })
        if (file !== null) return file
      }
      return null
    },
    async read(file, args) {
      const outputs = { stdin: 'ignore', stderr: 'ignore', encoding: 'buffer', buffer: false } as const
      const subprocess = execa(file, args, { ...options(), ...outputs })
      const output = collect(subprocess.stdout, OUTPUT_LIMIT, () => subprocess.kill())
      const { timedOut, exitCode } = await subprocess
      if (timedOut) throw failed(file)
      const bytes = output()
      if (bytes === null) throw new ToolTrouble(`The clipboard contains more than ${formatBytes(OUTPUT_LIMIT)}.`)
      return exitCode === 0 ? bytes : null
    },
    async write(file, args, input) {
      // Its outputs are not inherited: the background process would hold them open.
      const result = await execa(file, args, { ...options(), input, stdout: 'ignore', stderr: 'ignore' })
      if (result.timedOut) throw failed(file)
      return result.exitCode === 0
    },
  }
}

/** Whether this is Linux inside Windows, whose clipboard is the one that the user sees. */
export function isWsl(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && Boolean(env['WSL_DISTRO_NAME'] || env['WSL_INTEROP'])
}

/** A sentence that says what to install, or why nothing would help. */
export function withoutTool(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin' || platform === 'win32') return 'No clipboard tool was found in PATH.'
  if (env['WAYLAND_DISPLAY']) return 'No clipboard tool was found. Install wl-clipboard.'
  if (env['DISPLAY']) return 'No clipboard tool was found. Install xclip.'
  return env['SSH_CONNECTION']
    ? 'Your clipboard is on another machine. Paste with the key of your terminal.'
    : 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.'
}

/** The arguments that make PowerShell run a script, however it is quoted. */
export function powershell(script: string): string[] {
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  return ['-NoProfile', '-NonInteractive', '-STA', '-EncodedCommand', encoded]
}

function nameOf(file: string): string {
  return file.split(/[/\\]/).at(-1) ?? file
}
