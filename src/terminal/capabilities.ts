/** The abilities of a terminal, from the environment and its own answers. Pure. */

export type TerminalEnvironment = Readonly<Record<string, string | undefined>>

/** 0: no colours; 1: sixteen; 2: 256; 3: all. */
export type ColorDepth = 0 | 1 | 2 | 3

/** Each channel from 0 to 255. */
export type TerminalColor = { readonly red: number; readonly green: number; readonly blue: number }

/** The number of colours. `FORCE_COLOR` overrides `NO_COLOR`, as in Node itself. A flag overrides both; the caller handles it. */
export function colorDepth(env: TerminalEnvironment, platform: NodeJS.Platform): ColorDepth {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forcedDepth(forced, known(env, platform))
  if (env['NO_COLOR']) return 0
  return known(env, platform)
}

/** Whether the terminal shows bold, dim and underlined text, which `NO_COLOR` does not turn off. */
export function showsAttributes(env: TerminalEnvironment, platform: NodeJS.Platform): boolean {
  return known(env, platform) > 0
}

function forcedDepth(value: string, found: ColorDepth): ColorDepth {
  if (value === '0' || value === 'false') return 0
  if (value === '1' || value === '2' || value === '3') return Number(value) as ColorDepth
  return found === 0 ? 1 : found
}

function known(env: TerminalEnvironment, platform: NodeJS.Platform): ColorDepth {
  const term = env['TERM'] ?? ''
  const program = env['TERM_PROGRAM'] ?? ''
  if (term === 'dumb') return 0
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return 3
  if (program === 'Apple_Terminal') return 2
  // Inside a multiplexer, the variables of the outer terminal do not show what is passed on.
  if (/^(?:screen|tmux)/.test(term)) return /256/.test(term) ? 2 : 1
  if (/-direct$|^xterm-(?:kitty|ghostty)|^(?:alacritty|foot|wezterm|contour|rio)/.test(term)) return 3
  if (modernPrograms.has(program) || env['WT_SESSION'] || env['KONSOLE_VERSION']) return 3
  if (Number(env['VTE_VERSION']) >= 3600) return 3
  if (/-?256(?:color)?$/.test(term)) return 2
  // The console of Windows 10 and newer, which sets no TERM.
  if (platform === 'win32' && term === '') return 3
  return term === '' ? 0 : 1
}

const modernPrograms = new Set('iTerm.app WezTerm vscode ghostty Hyper mintty rio Tabby WarpTerminal zed'.split(' '))

/** Whether the terminal is known to open OSC 8 links. Otherwise the target is shown in the text. */
export function opensHyperlinks(env: TerminalEnvironment): boolean {
  const forced = env['FORCE_HYPERLINK']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  const term = env['TERM'] ?? ''
  // tmux and screen pass links on only if configured to do so.
  if (env['TMUX'] || env['STY'] || /^(?:dumb|linux|screen|tmux)/.test(term)) return false
  if (env['WT_SESSION'] || env['KITTY_WINDOW_ID'] || env['DOMTERM']) return true
  if (/^xterm-(?:kitty|ghostty)|^(?:alacritty|foot|wezterm|contour|rio)/.test(term)) return true
  // VTE 0.50.0 crashed on them.
  if (Number(env['VTE_VERSION']) >= 5001) return true
  if (Number(env['KONSOLE_VERSION']) >= 201_200) return true
  const least = linkingPrograms.get(env['TERM_PROGRAM'] ?? '')
  return least !== undefined && isAtLeast(env['TERM_PROGRAM_VERSION'] ?? '', least)
}

/** The first version of each that opens links. */
const linkingPrograms: ReadonlyMap<string, string> = new Map([
  ['iTerm.app', '3.1'],
  ['WezTerm', '20200620'],
  ['vscode', '1.72'],
  ['ghostty', ''],
  ['Hyper', ''],
  ['rio', ''],
  ['Tabby', ''],
  ['zed', ''],
])

function isAtLeast(version: string, least: string): boolean {
  if (least === '') return true
  const [found, required] = [version, least].map(text => text.split(/[.-]/).map(part => Number.parseInt(part, 10) || 0))
  for (const [index, part] of (required ?? []).entries()) {
    const here = found?.[index] ?? 0
    if (here !== part) return here > part
  }
  return true
}

/**
 * Whether characters beyond ASCII can be shown: not if the locale names another charset than UTF-8, and not on the Linux console,
 * whose font lacks them. A locale without a charset decides nothing.
 */
export function showsUnicode(env: TerminalEnvironment, platform: NodeJS.Platform): boolean {
  if (env['TERM'] === 'linux') return false
  if (platform === 'win32') return true
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(value => value !== undefined && value !== '')
  if (locale === undefined) return true
  if (/^(?:C|POSIX)$/.test(locale)) return false
  const charset = /\.([^@]*)/.exec(locale)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}

/** Whether to ask for the background: a terminal that does not know the question might print it. */
export function answersQueries(env: TerminalEnvironment): boolean {
  return env['TERM'] !== 'dumb' && env['TERM'] !== 'linux'
}

/**
 * The colour in an answer to OSC 11; null for another answer. `rgb:RRRR/GGGG/BBBB` with one to four digits each, `rgba:` with a
 * fourth part, or `#` with three to twelve digits.
 */
export function parseBackground(reply: string): TerminalColor | null {
  const value = /^\u001B\]11;([^\u0007\u001B]*)(?:\u0007|\u001B\\)$/.exec(reply)?.[1]
  if (value === undefined) return null
  const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(value)?.slice(1, 4)
  const digits = /^#((?:[\da-f]{3}){1,4})$/i.exec(value)?.[1]
  const size = (digits?.length ?? 0) / 3
  const channels =
    parts ?? (digits === undefined ? null : [0, 1, 2].map(at => digits.slice(at * size, (at + 1) * size)))
  if (!channels) return null
  const [red = 0, green = 0, blue = 0] = channels.map(
    channel => (Number.parseInt(channel, 16) / (16 ** channel.length - 1)) * 255,
  )
  return { red, green, blue }
}

/** Whether this is the answer to DA1, which every terminal gives. Earlier questions will no longer be answered. */
export function isDeviceAttributes(reply: string): boolean {
  return /^\u001B\[\?[\d;]*c$/.test(reply)
}

/** The kind of theme for this background. */
export function appearanceOf({ red, green, blue }: TerminalColor): 'dark' | 'light' {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 127 ? 'light' : 'dark'
}

/** The background that `COLORFGBG` names (`15;0`, `0;default;15`), or null. */
export function appearanceByEnvironment(env: TerminalEnvironment): 'dark' | 'light' | null {
  const background = /;(\d+)$/.exec(env['COLORFGBG'] ?? '')?.[1]
  if (background === undefined || Number(background) > 15) return null
  return Number(background) === 7 || Number(background) > 8 ? 'light' : 'dark'
}

/** The graphics protocol for pictures: kitty's or iTerm2's. */
export type PictureProtocol = 'kitty' | 'iterm2'

/**
 * The protocol with which the terminal draws pictures, if any. `ZOTUI_IMAGES` overrides it: `0` for none, or the name of a
 * protocol. A multiplexer passes on the outer terminal's variables, but no pictures.
 */
export function pictureProtocol(env: TerminalEnvironment): PictureProtocol | null {
  const chosen = env['ZOTUI_IMAGES']
  if (chosen === 'kitty' || chosen === 'iterm2') return chosen
  const term = env['TERM'] ?? ''
  if (chosen === '0' || env['TMUX'] || env['STY'] || env['ZELLIJ'] || /^(?:dumb|linux|screen|tmux)/.test(term))
    return null
  if (/^xterm-(?:kitty|ghostty)/.test(term)) return 'kitty'
  const program = env['TERM_PROGRAM']
  // A terminal that was started from another has the variables of both; its own name counts.
  if (program) return picturePrograms.get(program) ?? null
  if (env['KITTY_WINDOW_ID']) return 'kitty'
  return env['LC_TERMINAL'] === 'iTerm2' ? 'iterm2' : null
}

const picturePrograms: ReadonlyMap<string, PictureProtocol> = new Map([
  ['ghostty', 'kitty'],
  ['kitty', 'kitty'],
  ['iTerm.app', 'iterm2'],
  ['WezTerm', 'iterm2'],
])

/**
 * Whether the terminal is known to show progress (OSC 9;4). Others may show these bytes as a notification. In tmux the variables
 * of the outer terminal decide.
 */
export function showsProgress(env: TerminalEnvironment): boolean {
  if (env['STY'] || !answersQueries(env)) return false
  if (env['WT_SESSION'] || env['ConEmuANSI'] === 'ON' || Number(env['VTE_VERSION']) >= 7900) return true
  const least = progressPrograms.get(env['TERM_PROGRAM'] ?? '')
  return least !== undefined && isAtLeast(env['TERM_PROGRAM_VERSION'] ?? '', least)
}

/** The first version of each that shows progress. */
const progressPrograms: ReadonlyMap<string, string> = new Map([
  ['ghostty', '1.2'],
  ['iTerm.app', '3.6.6'],
  ['vscode', '1.97'],
  ['mintty', '3.4.2'],
])

/** Whether the terminal may set the clipboard (OSC 52): false only if it is known not to. In tmux, its settings decide. */
export function takesClipboard(env: TerminalEnvironment): boolean {
  if (env['STY'] || !answersQueries(env)) return false
  return !env['VTE_VERSION'] && env['TERM_PROGRAM'] !== 'Apple_Terminal'
}

/** The terminal's known way to show notifications; every terminal has a bell. */
export function notificationMethod(env: TerminalEnvironment): 'bell' | 'osc9' | 'osc99' | 'osc777' {
  if (env['STY']) return 'bell'
  const program = env['TERM_PROGRAM'] ?? ''
  if (program === 'iTerm.app' || (env['LC_TERMINAL'] === 'iTerm2' && env['TMUX'])) return 'osc9'
  if (program === 'ghostty' || program === 'WezTerm' || env['GHOSTTY_RESOURCES_DIR'] || env['WEZTERM_PANE'])
    return 'osc777'
  if (env['TERM'] === 'xterm-kitty' || env['KITTY_WINDOW_ID']) return 'osc99'
  return /^(?:foot|rxvt-unicode)/.test(env['TERM'] ?? '') ? 'osc777' : 'bell'
}
