import { describe, expect, test } from 'vitest'
import {
  answersQueries,
  appearanceByEnvironment,
  appearanceOf,
  colorDepth,
  isDeviceAttributes,
  opensHyperlinks,
  parseBackground,
  pictureProtocol,
  showsUnicode,
  type TerminalEnvironment,
} from '../../src/terminal/capabilities.ts'

const xterm = { TERM: 'xterm-256color' }

test.each<[TerminalEnvironment, number]>([
  [{}, 0],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 0],
  [{ TERM: 'xterm' }, 1],
  [{ TERM: 'linux' }, 1],
  [{ TERM: 'vt220' }, 1],
  [xterm, 2],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 3],
  [{ TERM: 'xterm', COLORTERM: '24bit' }, 3],
  [{ TERM: 'xterm-direct' }, 3],
  [{ TERM: 'xterm-kitty' }, 3],
  [{ TERM: 'xterm-ghostty' }, 3],
  [{ TERM: 'alacritty' }, 3],
  [{ TERM: 'foot-extra' }, 3],
  [{ ...xterm, TERM_PROGRAM: 'iTerm.app' }, 3],
  [{ ...xterm, TERM_PROGRAM: 'vscode' }, 3],
  [{ ...xterm, TERM_PROGRAM: 'Apple_Terminal' }, 2],
  [{ ...xterm, WT_SESSION: 'x' }, 3],
  [{ ...xterm, VTE_VERSION: '7600' }, 3],
  [{ ...xterm, VTE_VERSION: '3400' }, 2],
  [{ ...xterm, KONSOLE_VERSION: '220401' }, 3],
  // A multiplexer passes on less than the terminal around it could do, unless it says so.
  [{ TERM: 'screen', TERM_PROGRAM: 'iTerm.app' }, 1],
  [{ TERM: 'screen-256color', WT_SESSION: 'x' }, 2],
  [{ TERM: 'tmux-256color', COLORTERM: 'truecolor' }, 3],
  [{ ...xterm, NO_COLOR: '1' }, 0],
  [{ ...xterm, NO_COLOR: '0' }, 0],
  [{ ...xterm, NO_COLOR: '' }, 2],
  [{ ...xterm, FORCE_COLOR: '0' }, 0],
  [{ ...xterm, FORCE_COLOR: 'false' }, 0],
  [{ ...xterm, FORCE_COLOR: '1' }, 1],
  [{ ...xterm, FORCE_COLOR: '3' }, 3],
  [{ ...xterm, FORCE_COLOR: '' }, 2],
  [{ TERM: 'dumb', FORCE_COLOR: 'true' }, 1],
  [{ ...xterm, NO_COLOR: '1', FORCE_COLOR: '2' }, 2],
])('colours of %j', (env, depth) => expect(colorDepth(env, 'linux')).toBe(depth))

test('the Windows console has all colours', () => {
  expect(colorDepth({}, 'win32')).toBe(3)
  expect(colorDepth({ NO_COLOR: '1' }, 'win32')).toBe(0)
})

test.each<[TerminalEnvironment, boolean]>([
  [{}, false],
  [xterm, false],
  [{ ...xterm, TERM_PROGRAM: 'Apple_Terminal' }, false],
  [{ ...xterm, TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.2' }, true],
  [{ ...xterm, TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.15' }, false],
  [{ ...xterm, TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' }, true],
  [{ ...xterm, TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.72.0' }, true],
  [{ ...xterm, TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.9.0' }, false],
  [{ ...xterm, TERM_PROGRAM: 'ghostty' }, true],
  [{ ...xterm, VTE_VERSION: '6003' }, true],
  [{ ...xterm, VTE_VERSION: '5000' }, false],
  [{ ...xterm, KONSOLE_VERSION: '220401' }, true],
  [{ ...xterm, WT_SESSION: 'x' }, true],
  [{ ...xterm, KITTY_WINDOW_ID: '1' }, true],
  [{ TERM: 'alacritty' }, true],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/tmux', TERM_PROGRAM: 'tmux' }, false],
  [{ ...xterm, STY: '1.pts', KITTY_WINDOW_ID: '1' }, false],
  [{ TERM: 'dumb', WT_SESSION: 'x' }, false],
  [{ TERM: 'dumb', FORCE_HYPERLINK: '1' }, true],
  [{ ...xterm, FORCE_HYPERLINK: '' }, false],
  [{ ...xterm, WT_SESSION: 'x', FORCE_HYPERLINK: '0' }, false],
])('links in %j', (env, opens) => expect(opensHyperlinks(env)).toBe(opens))

test.each<[TerminalEnvironment, boolean]>([
  [{}, true],
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'C.UTF-8' }, true],
  [{ LC_CTYPE: 'UTF-8' }, true],
  [{ LANG: 'de_DE.utf8@euro' }, true],
  [{ LANG: 'en_US' }, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'POSIX' }, false],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'en_US.UTF-8', LC_ALL: '' }, true],
  [{ LC_CTYPE: 'ru_RU.KOI8-R', LANG: 'en_US.UTF-8' }, false],
  [{ LANG: 'de_DE.ISO-8859-1' }, false],
  [{ TERM: 'linux', LANG: 'C.UTF-8' }, false],
])('Unicode signs in %j', (env, shows) => expect(showsUnicode(env, 'linux')).toBe(shows))

test('Windows has Unicode signs, as it names no charset', () => expect(showsUnicode({ LANG: 'C' }, 'win32')).toBe(true))

test.each([
  ['\x1b]11;rgb:1414/1818/1c1c\x1b\\', [20, 24, 28]],
  ['\x1b]11;rgb:1414/1818/1c1c\x07', [20, 24, 28]],
  ['\x1b]11;rgb:ffff/ffff/ffff\x07', [255, 255, 255]],
  ['\x1b]11;rgb:14/18/1c\x07', [20, 24, 28]],
  ['\x1b]11;rgb:F/f/0\x07', [255, 255, 0]],
  ['\x1b]11;rgb:fff/000/fff\x07', [255, 0, 255]],
  ['\x1b]11;rgba:0000/0000/0000/ffff\x1b\\', [0, 0, 0]],
  ['\x1b]11;#14181c\x07', [20, 24, 28]],
  ['\x1b]11;#ffffffffffff\x07', [255, 255, 255]],
  ['\x1b]11;?\x07', null],
  ['\x1b]11;rgb:14/18\x07', null],
  ['\x1b]11;rgb:12345/0/0\x07', null],
  ['\x1b]11;rgb:xx/18/1c\x07', null],
  ['\x1b]11;#1234\x07', null],
  ['\x1b]10;rgb:14/18/1c\x07', null],
  ['\x1b]11;rgb:14/18/1c', null],
])('the background in %j', (reply, channels) => {
  const color = parseBackground(reply)
  expect(color && [color.red, color.green, color.blue].map(Math.round)).toEqual(channels)
})

describe('dark or light', () => {
  test.each([
    [[0, 0, 0], 'dark'],
    [[30, 30, 30], 'dark'],
    [[0, 43, 54], 'dark'],
    [[0, 0, 255], 'dark'],
    [[255, 255, 255], 'light'],
    [[253, 246, 227], 'light'],
    [[0, 255, 0], 'light'],
  ] as const)('%j', ([red, green, blue], appearance) => expect(appearanceOf({ red, green, blue })).toBe(appearance))

  test.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['12;7', 'light'],
    ['7;8', 'dark'],
    ['0;default', null],
    ['0;231', null],
    ['', null],
    [undefined, null],
  ])('COLORFGBG=%s', (value, appearance) => expect(appearanceByEnvironment({ COLORFGBG: value })).toBe(appearance))
})

test.each([
  ['\x1b[?62;4;22c', true],
  ['\x1b[?1;2c', true],
  ['\x1b[?c', true],
  ['\x1b[>0;276;0c', false],
  ['\x1b[?1u', false],
])('the answer to DA1: %j', (reply, is) => expect(isDeviceAttributes(reply)).toBe(is))

test('terminals that might print queries are not queried', () => {
  expect(['dumb', 'linux', 'xterm'].map(TERM => answersQueries({ TERM }))).toEqual([false, false, true])
})

test.each<[TerminalEnvironment, ReturnType<typeof pictureProtocol>]>([
  [{}, null],
  [xterm, null],
  [{ TERM: 'dumb', KITTY_WINDOW_ID: '1' }, null],
  [{ ...xterm, KITTY_WINDOW_ID: '1' }, 'kitty'],
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-ghostty' }, 'kitty'],
  [{ ...xterm, TERM_PROGRAM: 'ghostty' }, 'kitty'],
  [{ ...xterm, TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
  [{ ...xterm, TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ ...xterm, TERM_PROGRAM: 'Apple_Terminal' }, null],
  [{ ...xterm, LC_TERMINAL: 'iTerm2' }, 'iterm2'],
  [{ ...xterm, LC_TERMINAL: 'other' }, null],
  // Started from within another, whose variables it still has.
  [{ ...xterm, TERM_PROGRAM: 'vscode', KITTY_WINDOW_ID: '1', LC_TERMINAL: 'iTerm2' }, null],
  [{ TERM: 'xterm-kitty', TERM_PROGRAM: 'iTerm.app' }, 'kitty'],
  [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, null],
  [{ TERM: 'screen', TERM_PROGRAM: 'iTerm.app' }, null],
  [{ TERM: 'xterm-kitty', TMUX: 'x' }, null],
  [{ TERM: 'xterm-kitty', STY: 'x' }, null],
  [{ TERM: 'xterm-kitty', ZELLIJ: '0' }, null],
  [{ TERM: 'xterm-kitty', ZOTUI_IMAGES: '0' }, null],
  [{ TERM: 'xterm-kitty', ZOTUI_IMAGES: '1' }, 'kitty'],
  [{ TERM: 'xterm-kitty', NO_COLOR: '1' }, 'kitty'],
  [{ ...xterm, ZOTUI_IMAGES: 'kitty' }, 'kitty'],
  [{ ...xterm, ZOTUI_IMAGES: 'iterm2' }, 'iterm2'],
])('images in %j', (env, protocol) => expect(pictureProtocol(env)).toBe(protocol))
