/** Reads the system's clipboard, through whatever tool of the system can reach it. */
import { formatBytes } from '../../text/format.ts'
import {
  createClipboardTools,
  isWsl,
  LIMIT,
  powershell,
  ToolTrouble,
  withoutTool,
  type ClipboardPlace,
  type ClipboardTools,
} from './clipboard-tools.ts'
import { inspectImage } from '../images/inspect.ts'

export type ClipboardContent =
  /** A PNG, JPEG, GIF or WebP. */
  | { kind: 'image'; data: Buffer }
  | { kind: 'text'; text: string }
  /** `reason` is a sentence for the user. */
  | { kind: 'none'; reason: string }

/** As much as a paste may hold, in bytes. */
const TEXT_LIMIT = 10_000_000

/** Null if this method has no tool, or the clipboard has nothing usable. */
type Way = (tools: ClipboardTools) => Promise<ClipboardContent | null>

/** Reads the clipboard: an image where there is one, else text. Never rejects. */
export async function readClipboard(place: ClipboardPlace): Promise<ClipboardContent> {
  const { env, platform } = place
  let found = false
  const tools = createClipboardTools(place, LIMIT)
  const counting: ClipboardTools = {
    ...tools,
    async find(...names) {
      const file = await tools.find(...names)
      found ||= file !== null
      return file
    },
  }
  try {
    for (const way of waysToRead(env, platform)) {
      const content = await way(counting)
      if (content !== null) return content
    }
  } catch (error) {
    if (!(error instanceof ToolTrouble)) throw error
    return { kind: 'none', reason: error.message }
  }
  return {
    kind: 'none',
    reason: found ? 'The clipboard contains neither text nor an image.' : withoutTool(env, platform),
  }
}

function waysToRead(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Way[] {
  if (platform === 'win32') return [readWindows]
  if (platform === 'darwin') return [readMac]
  // The desktop's own first; X11's also stands for Wayland programs.
  return [
    ...(isWsl(env, platform) ? [readWindows] : []),
    ...(env['WAYLAND_DISPLAY'] ? [readWayland] : []),
    ...(env['DISPLAY'] ? [readX11] : []),
  ]
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

async function readWayland(tools: ClipboardTools): Promise<ClipboardContent | null> {
  const file = await tools.find('wl-paste')
  if (file === null) return null
  const offered = linesOf(await tools.read(file, ['--list-types']))
  const type = IMAGE_TYPES.find(each => offered.includes(each))
  const image = type === undefined ? null : asImage(await tools.read(file, ['--type', type]))
  if (image !== null) return image
  // Without a type wl-paste would return the bytes of the first one.
  const hasText = offered.some(each => /^(?:text\/plain|utf8_string|string|text)\b/i.test(each))
  return hasText ? asText(await tools.read(file, ['--no-newline', '--type', 'text'])) : null
}

async function readX11(tools: ClipboardTools): Promise<ClipboardContent | null> {
  const xclip = await tools.find('xclip')
  if (xclip === null) {
    const xsel = await tools.find('xsel')
    return xsel === null ? null : asText(await tools.read(xsel, ['--clipboard', '--output']))
  }
  const get = (target: string) => tools.read(xclip, ['-selection', 'clipboard', '-o', '-t', target])
  const offered = linesOf(await get('TARGETS'))
  const type = IMAGE_TYPES.find(each => offered.includes(each))
  const image = type === undefined ? null : asImage(await get(type))
  if (image !== null) return image
  return asText((await get('UTF8_STRING')) ?? (await get('STRING')))
}

async function readMac(tools: ClipboardTools): Promise<ClipboardContent | null> {
  const osascript = await tools.find('osascript')
  const script = async (text: string) => (osascript === null ? null : await tools.read(osascript, ['-e', text]))
  const info = (await script('clipboard info'))?.toString() ?? ''
  // A file copied in the Finder: its picture is only its icon.
  if (info.includes('furl')) {
    const path = await script('POSIX path of (the clipboard as «class furl»)')
    if (path !== null) return asText(Buffer.from(path.toString().trimEnd()))
  }
  if (osascript === null || /PNGf|TIFF|GIFf|JPEG/.test(info)) {
    const pngpaste = await tools.find('pngpaste')
    const image = pngpaste === null ? null : asImage(await tools.read(pngpaste, ['-']))
    if (image !== null) return image
    const hex = /«data PNGf([\dA-F]+)»/.exec((await script('the clipboard as «class PNGf»'))?.toString() ?? '')?.[1]
    const other = hex === undefined ? null : asImage(Buffer.from(hex, 'hex'))
    if (other !== null) return other
  }
  const pbpaste = await tools.find('pbpaste')
  return pbpaste === null ? null : asText(await tools.read(pbpaste, []))
}

/** In base64, so that no code page of the console changes anything. */
const READ_WINDOWS = `
$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
function Say($kind, $bytes) { [Console]::Out.Write($kind + ' ' + [Convert]::ToBase64String($bytes)) }
$board = [Windows.Forms.Clipboard]
if ($board::ContainsFileDropList()) {
  Say 'text' ([Text.Encoding]::UTF8.GetBytes(($board::GetFileDropList() | ForEach-Object { '"' + $_ + '"' }) -join ' '))
} elseif ($board::ContainsImage()) {
  $memory = New-Object IO.MemoryStream
  $board::GetImage().Save($memory, [Drawing.Imaging.ImageFormat]::Png)
  Say 'image' $memory.ToArray()
} elseif ($board::ContainsText()) {
  Say 'text' ([Text.Encoding]::UTF8.GetBytes($board::GetText()))
}
`

async function readWindows(tools: ClipboardTools): Promise<ClipboardContent | null> {
  const file = await tools.find('powershell.exe')
  if (file === null) return null
  const answer = (await tools.read(file, powershell(READ_WINDOWS)))?.toString('latin1') ?? ''
  const [kind, base64 = ''] = answer.trim().split(' ')
  const bytes = Buffer.from(base64, 'base64')
  if (kind === 'image') return asImage(bytes)
  return kind === 'text' ? asText(Buffer.from(bytes.toString().replaceAll('\r\n', '\n'))) : null
}

function asImage(bytes: Buffer | null): ClipboardContent | null {
  return bytes !== null && inspectImage(bytes) !== null ? { kind: 'image', data: bytes } : null
}

function asText(bytes: Buffer | null): ClipboardContent | null {
  if (bytes === null || bytes.length === 0) return null
  if (bytes.length > TEXT_LIMIT)
    throw new ToolTrouble(`The clipboard contains more than ${formatBytes(TEXT_LIMIT)} of text.`)
  return { kind: 'text', text: bytes.toString() }
}

function linesOf(bytes: Buffer | null): string[] {
  return (bytes?.toString() ?? '').split('\n').map(line => line.trim())
}
