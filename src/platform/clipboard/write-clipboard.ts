/** Puts text on the system's clipboard, through whatever tool of the system can reach it. */
import process from 'node:process'
import {
  createClipboardTools,
  isWsl,
  LIMIT,
  powershell,
  ToolTrouble,
  withoutTool,
  type ClipboardPlace,
} from './clipboard-tools.ts'

export type ClipboardWritten = { ok: true; tool: string } | { ok: false; reason: string }

type ClipboardWriter = { name: string; args: readonly string[]; input: string | Buffer }

/** Returns the tool that took the text. Never rejects. */
export async function writeClipboard(text: string, place: ClipboardPlace): Promise<ClipboardWritten> {
  if (text === '') return { ok: false, reason: 'There is nothing to copy.' }
  const { env, platform } = place
  const tools = createClipboardTools(place, LIMIT)
  let reason = withoutTool(env, platform)
  for (const { name, args, input } of writers(text, env, platform)) {
    const file = await tools.find(name)
    if (file === null) continue
    try {
      if (await tools.write(file, args, input)) return { ok: true, tool: name }
      reason = `${name} failed.`
    } catch (error) {
      if (!(error instanceof ToolTrouble)) throw error
      return { ok: false, reason: error.message }
    }
  }
  return { ok: false, reason }
}

/** Passes the text to tmux, which forwards it to the clipboard of its terminal (3.2 and newer). Never rejects. */
export async function writeTmuxClipboard(
  text: string,
  { env, folder }: Pick<ClipboardPlace, 'env' | 'folder'>,
): Promise<boolean> {
  const tools = createClipboardTools({ env, folder, platform: process.platform }, LIMIT)
  const file = await tools.find('tmux')
  if (file === null) return false
  return tools.write(file, ['load-buffer', '-w', '-'], text).catch(() => false)
}

const WRITE_WINDOWS =
  '$bytes = [Convert]::FromBase64String([Console]::In.ReadToEnd()); Set-Clipboard -Value ([Text.Encoding]::UTF8.GetString($bytes))'

function writers(text: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): ClipboardWriter[] {
  const windows: ClipboardWriter[] = [
    { name: 'powershell.exe', args: powershell(WRITE_WINDOWS), input: Buffer.from(text).toString('base64') },
    // It guesses the encoding, and treats a byte order mark as text. It is used only if there is nothing better.
    { name: 'clip.exe', args: [], input: Buffer.from(text, 'utf16le') },
  ]
  if (platform === 'win32') return windows
  if (platform === 'darwin') return [{ name: 'pbcopy', args: [], input: text }]
  const wayland: ClipboardWriter = { name: 'wl-copy', args: ['--type', 'text/plain;charset=utf-8'], input: text }
  const x11: ClipboardWriter[] = [
    { name: 'xclip', args: ['-selection', 'clipboard', '-i'], input: text },
    { name: 'xsel', args: ['--clipboard', '--input'], input: text },
  ]
  return [
    ...(isWsl(env, platform) ? windows : []),
    ...(env['WAYLAND_DISPLAY'] ? [wayland] : []),
    ...(env['DISPLAY'] ? x11 : []),
  ]
}
