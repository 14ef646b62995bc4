/** The clipboard, with tools that are small scripts in a PATH of their own, on every system that has some. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeClipboard } from '../../../src/platform/clipboard/write-clipboard.ts'
import { readClipboard } from '../../../src/platform/clipboard/read-clipboard.ts'
import { makePng, samples } from '../images/samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-clipboard-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** A folder of tools; each is the body of a shell script. */
function desktop(tools: Record<string, string>) {
  const place = join(folder, String(++count))
  mkdirSync(place)
  writeFileSync(join(place, 'png'), samples.png)
  writeFileSync(join(place, 'jpeg'), samples.jpegBaseline)
  for (const [name, body] of Object.entries(tools)) {
    writeFileSync(join(place, name), `#!/bin/sh\nPATH=/usr/bin:/bin; cd '${place}'; echo "$*" >> asked\n${body}\n`)
    chmodSync(join(place, name), 0o755)
  }
  const at = (name: string) => join(place, name)
  return {
    PATH: place,
    asked: () => (existsSync(at('asked')) ? readFileSync(at('asked'), 'utf8').trim().split('\n') : []),
    got: () => readFileSync(at('got')),
  }
}

const image = { kind: 'image', data: samples.png }
const empty = { kind: 'none', reason: 'The clipboard contains neither text nor an image.' }

const wlPaste = (types: string, data: string) => `case "$*" in --list-types) printf '${types}';; *) ${data};; esac`
const xclip = (targets: string, data: string) => `case "$*" in *TARGETS) printf '${targets}';; *) ${data};; esac`

const at = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) => ({ env, folder: '/', platform })
const readWayland = ({ PATH }: { PATH: string }) => readClipboard(at({ PATH, WAYLAND_DISPLAY: 'wayland-0' }, 'linux'))
const readX11 = ({ PATH }: { PATH: string }) => readClipboard(at({ PATH, DISPLAY: ':0' }, 'linux'))
const readMac = ({ PATH }: { PATH: string }) => readClipboard(at({ PATH }, 'darwin'))
const osascript = (info: string, rest: string) => `case "$2" in "clipboard info") echo '${info}';; *) ${rest};; esac`
const answer = (kind: string, bytes: Buffer) => `printf '%s' '${kind} ${bytes.toString('base64')}'`
const write = (tools: Record<string, string>) =>
  writeClipboard('words', at({ PATH: desktop(tools).PATH, DISPLAY: ':0' }, 'linux'))

describe.skipIf(process.platform === 'win32')('on Wayland', () => {
  test('an image comes before the text that comes with it', async () => {
    const tools = desktop({ 'wl-paste': wlPaste(String.raw`text/html\nimage/bmp\nimage/jpeg\nimage/png\n`, 'cat png') })
    expect(await readWayland(tools)).toEqual(image)
    expect(tools.asked()).toEqual(['--list-types', '--type image/png'])
  })

  test('text is text, in every script', async () => {
    const tools = desktop({
      'wl-paste': wlPaste(String.raw`text/plain;charset=utf-8\nUTF8_STRING\n`, "printf 'é 漢\\nx'"),
    })
    expect(await readWayland(tools)).toEqual({ kind: 'text', text: 'é 漢\nx' })
    expect(tools.asked()).toEqual(['--list-types', '--no-newline --type text'])
  })

  test('an empty or unusable clipboard gives nothing', async () => {
    expect(await readWayland(desktop({ 'wl-paste': 'echo "Nothing is copied" >&2; exit 1' }))).toEqual(empty)
    expect(await readWayland(desktop({ 'wl-paste': wlPaste(String.raw`audio/x-wav\n`, 'cat png') }))).toEqual(empty)
  })

  test('data that only claims to be an image is refused', async () => {
    const tools = desktop({ 'wl-paste': wlPaste(String.raw`image/png\ntext/plain\n`, 'printf words') })
    expect(await readWayland(tools)).toEqual({ kind: 'text', text: 'words' })
  })

  test('the tool to install is named', async () => {
    expect(await readWayland(desktop({}))).toEqual({
      kind: 'none',
      reason: 'No clipboard tool was found. Install wl-clipboard.',
    })
  })

  test('X11 is asked where Wayland has no tool', async () => {
    const { PATH } = desktop({ xclip: xclip(String.raw`UTF8_STRING\n`, 'printf words') })
    const env = { PATH, WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }
    expect(await readClipboard(at(env, 'linux'))).toEqual({ kind: 'text', text: 'words' })
  })
})

describe.skipIf(process.platform === 'win32')('on X11', () => {
  test('an image is read', async () => {
    const tools = desktop({ xclip: xclip(String.raw`TARGETS\nimage/jpeg\n`, 'cat jpeg') })
    expect(await readX11(tools)).toEqual({ kind: 'image', data: samples.jpegBaseline })
    expect(tools.asked().at(-1)).toBe('-selection clipboard -o -t image/jpeg')
  })

  test('text is read, also from old programs', async () => {
    const old = 'case "$*" in *" STRING") printf words;; *) exit 1;; esac'
    expect(await readX11(desktop({ xclip: old }))).toEqual({ kind: 'text', text: 'words' })
  })

  test('xsel reads text only', async () => {
    expect(await readX11(desktop({ xsel: 'printf words' }))).toEqual({ kind: 'text', text: 'words' })
    expect(await readX11(desktop({ xsel: ':' }))).toEqual(empty)
  })
})

describe.skipIf(process.platform === 'win32')('on a Mac', () => {
  const hex = `«data PNGf${samples.png.toString('hex').toUpperCase()}»`

  test('an image is read by pngpaste, or else by AppleScript', async () => {
    const script = osascript('«class PNGf», 1234, TIFF picture, 5678', `echo '${hex}'`)
    expect(await readMac(desktop({ osascript: script, pngpaste: 'cat png', pbpaste: 'exit 1' }))).toEqual(image)
    expect(await readMac(desktop({ osascript: script, pbpaste: 'exit 1' }))).toEqual(image)
    expect(await readMac(desktop({ pngpaste: 'cat png', pbpaste: 'exit 1' }))).toEqual(image)
  })

  test('a file of the Finder gives its path, not its icon', async () => {
    const info = '«class furl», 40, «class PNGf», 1234'
    const tools = desktop({ osascript: osascript(info, 'echo "/Users/me/a b.png"'), pngpaste: 'cat png' })
    expect(await readMac(tools)).toEqual({ kind: 'text', text: '/Users/me/a b.png' })
  })

  test('text is read as UTF-8', async () => {
    const tools = desktop({ osascript: osascript('«class utf8», 6', 'exit 1'), pbpaste: 'printf "é %s" "$LC_ALL"' })
    expect(await readMac(tools)).toEqual({ kind: 'text', text: 'é en_US.UTF-8' })
  })
})

describe.skipIf(process.platform === 'win32')('on Windows', () => {
  test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv]>([
    ['itself', 'win32', {}],
    ['under WSL', 'linux', { WSL_DISTRO_NAME: 'Ubuntu', WAYLAND_DISPLAY: 'wayland-0' }],
  ])('%s', async (_, platform, env) => {
    const read = ({ PATH }: { PATH: string }) => readClipboard(at({ ...env, PATH }, platform))
    expect(await read(desktop({ 'powershell.exe': answer('image', samples.png) }))).toEqual(image)
    const text = answer('text', Buffer.from('é 漢\r\nx'))
    expect(await read(desktop({ 'powershell.exe': text }))).toEqual({ kind: 'text', text: 'é 漢\nx' })
    expect(await read(desktop({ 'powershell.exe': ':' }))).toEqual(empty)
  })

  test('the script reaches PowerShell whole', async () => {
    const tools = desktop({ 'powershell.exe': ':' })
    await readClipboard(at({ PATH: tools.PATH }, 'win32'))
    const script = Buffer.from(tools.asked()[0]?.split(' ').at(-1) ?? '', 'base64').toString('utf16le')
    expect(script).toContain('$board::ContainsImage()')
  })
})

describe.skipIf(process.platform === 'win32')('a clipboard tool in trouble', () => {
  test('that does not answer is ended after 3 seconds, with its children', async () => {
    const began = performance.now()
    expect(await readX11(desktop({ xclip: 'sleep 600' }))).toEqual({
      kind: 'none',
      reason: 'xclip did not answer within 3 seconds.',
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('that sends a flood is cut off', async () => {
    expect(await readX11(desktop({ xsel: 'cat /dev/zero' }))).toEqual({
      kind: 'none',
      reason: 'The clipboard contains more than 24 MB.',
    })
    expect(await readX11(desktop({ xsel: 'head -c 10000001 /dev/zero' }))).toEqual({
      kind: 'none',
      reason: 'The clipboard contains more than 10 MB of text.',
    })
  })

  test('that is broken counts as missing', async () => {
    const { PATH } = desktop({})
    writeFileSync(join(PATH, 'xclip'), '#!/no/such/interpreter', { mode: 0o755 })
    expect(await readX11({ PATH })).toEqual(empty)
  })

  test('without a desktop is reported with the reason', async () => {
    const { PATH } = desktop({ xclip: 'printf words' })
    expect(await readClipboard(at({ PATH }, 'linux'))).toMatchObject({
      kind: 'none',
      reason: /neither WAYLAND_DISPLAY/,
    })
    expect(await readClipboard(at({ PATH, SSH_CONNECTION: '1 2 3 4' }, 'linux'))).toMatchObject({
      reason: /on another machine/,
    })
  })

  test('may give an image that is too large for a prompt, which is refused later', async () => {
    const tools = desktop({ xclip: xclip(String.raw`image/png\n`, 'cat big') })
    const big = makePng(10, 10, 12_000_000)
    writeFileSync(join(tools.PATH, 'big'), big)
    const content = await readX11(tools)
    expect(content.kind === 'image' && content.data.equals(big)).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('copying', () => {
  const text = 'é 漢 🙂\nx'
  const take = 'cat > got'

  test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ['wl-copy', 'linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, '--type text/plain;charset=utf-8'],
    ['xclip', 'linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, '-selection clipboard -i'],
    ['xsel', 'linux', { DISPLAY: ':0' }, '--clipboard --input'],
    ['pbcopy', 'darwin', {}, ''],
  ])('through %s', async (tool, platform, env, args) => {
    const tools = desktop({ [tool]: take })
    expect(await writeClipboard(text, at({ ...env, PATH: tools.PATH }, platform))).toEqual({ ok: true, tool })
    expect(tools.got().toString()).toBe(text)
    expect(tools.asked()).toEqual([args])
  })

  test('on Windows through PowerShell in base64, or clip.exe in UTF-16', async () => {
    const both = desktop({ 'powershell.exe': take, 'clip.exe': take })
    const wsl = { PATH: both.PATH, WSL_INTEROP: '/run/WSL/1' }
    expect(await writeClipboard(text, at(wsl, 'linux'))).toEqual({ ok: true, tool: 'powershell.exe' })
    expect(Buffer.from(both.got().toString(), 'base64').toString()).toBe(text)

    const clip = desktop({ 'powershell.exe': 'exit 1', 'clip.exe': take })
    expect(await writeClipboard(text, at({ PATH: clip.PATH }, 'win32'))).toEqual({ ok: true, tool: 'clip.exe' })
    expect(clip.got().toString('utf16le')).toBe(text)
  })

  test('does not wait for the part of a tool that stays to serve the text', async () => {
    const { PATH, got } = desktop({ xclip: 'cat > got; sleep 600 & echo $! > server' })
    const began = performance.now()
    expect(await writeClipboard(text, at({ PATH, DISPLAY: ':0' }, 'linux'))).toEqual({ ok: true, tool: 'xclip' })
    expect(performance.now() - began).toBeLessThan(2500)
    expect(got().toString()).toBe(text)
    const server = Number(readFileSync(join(PATH, 'server'), 'utf8'))
    // Still there to answer whoever pastes.
    expect(process.kill(server, 0)).toBe(true)
    process.kill(server)
  })

  test('that fails is reported', async () => {
    expect(await write({ xclip: 'exit 1' })).toEqual({ ok: false, reason: 'xclip failed.' })
    expect(await write({})).toEqual({ ok: false, reason: 'No clipboard tool was found. Install xclip.' })
    expect(await write({ xclip: 'sleep 600' })).toEqual({ ok: false, reason: 'xclip did not answer within 3 seconds.' })
    expect(await writeClipboard('', at({}, 'linux'))).toEqual({ ok: false, reason: 'There is nothing to copy.' })
  })

  test('works for a megabyte', async () => {
    const tools = desktop({ xclip: take })
    const long = 'x'.repeat(1_000_000)
    expect(await writeClipboard(long, at({ PATH: tools.PATH, DISPLAY: ':0' }, 'linux'))).toMatchObject({ ok: true })
    expect(tools.got().toString()).toBe(long)
  })
})
