/** Runs keys in a real vim, and tells what it made of a text. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A text, the caret's line and column in characters, and commands one after the other. */
export type VimCase = { lines: readonly string[]; line: number; column: number; steps: readonly (readonly string[])[] }

export type SeenByVim = {
  text: string
  /** Offset in UTF-16 units. */
  caret: number
  /** The text of each register that is not empty; of whole lines with a newline at its end. */
  registers: Readonly<Record<string, string>>
}

export const REGISTERS = Array.from('"0123456789-ab')

/** The names of keys in the words of vim's own. */
const KEYS = {
  escape: '\\<Esc>',
  enter: '\\<CR>',
  backspace: '\\<BS>',
  delete: '\\<Del>',
  'ctrl+r': '\\<C-R>',
  'ctrl+j': '\\<CR>',
  left: '\\<Left>',
  right: '\\<Right>',
}

/** Keys that give each register a text, and a change to be repeated. */
export const PROLOGUE: readonly (readonly string[])[] = [
  [
    'i',
    ...Array.from({ length: 11 }, (_, line) => [...Array.from(`one ${line}`), 'ctrl+j']).flat(),
    ...Array.from('two'),
    'escape',
  ],
  Array.from('gg'),
  Array.from('"ayiw'),
  Array.from('"byy'),
  ...Array.from({ length: 9 }, () => Array.from('dd')),
  Array.from('yy'),
  ['x'],
]

/** Without vim there is nothing to compare with. */
export function findVim(): string | null {
  const path = process.env['ZOTUI_VIM'] ?? 'vim'
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 && stdout.startsWith('VIM - Vi IMproved') ? path : null
}

const SCRIPT = `
set encoding=utf-8 noswapfile viminfo= shiftwidth=2 expandtab tabstop=4 whichwrap= backspace=indent,eol,start
set cpoptions+=%M undolevels=1000 nojoinspaces belloff=all nomore report=9999
let s:keys = {KEYS}
let s:registers = split('${REGISTERS.join(' ')}', ' ')
function! s:Seen() abort
  let l:registers = {}
  for l:name in s:registers
    if getreg(l:name, 1) !=# ''
      let l:registers[l:name] = getreg(l:name, 1)
    endif
  endfor
  return {'lines': getline(1, '$'), 'pos': getcurpos()[1:2], 'registers': l:registers}
endfunction
let s:prologue = json_decode(join(readfile('prologue.json'), ''))
" No function: vim forgets there what it is to repeat.
let s:all = []
for s:case in json_decode(join(readfile('cases.json'), ''))
  enew!
  " Each case begins with the same memory.
  call setcharsearch({'char': 'q', 'forward': 1, 'until': 0})
  let @/ = 'q'
  for s:step in s:prologue
    silent! call feedkeys(join(map(copy(s:step), {_, key -> get(s:keys, key, key)}), ''), 'tx')
  endfor
  setlocal undolevels=-1
  %delete _
  " A text without a character stays a buffer without a line.
  if s:case.lines !=# ['']
    call setline(1, s:case.lines)
  endif
  setlocal undolevels=1000
  call cursor(s:case.line, byteidx(s:case.lines[s:case.line - 1], s:case.column) + 1)
  let s:seen = []
  for s:step in s:case.steps
    silent! call feedkeys(join(map(copy(s:step), {_, key -> get(s:keys, key, key)}), ''), 'tx')
    let &l:undolevels = &l:undolevels
    call add(s:seen, s:Seen())
  endfor
  call add(s:all, s:seen)
endfor
call writefile([json_encode(s:all)], 'seen.json')
qall!
`

/** The states after each step of each case. */
export function runInVim(vim: string, cases: readonly VimCase[]): SeenByVim[][] {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-vim-'))
  try {
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
    writeFileSync(join(folder, 'prologue.json'), JSON.stringify(PROLOGUE))
    const keys = Object.entries(KEYS).map(([name, key]) => `'${name}': "${key}"`)
    writeFileSync(join(folder, 'run.vim'), SCRIPT.replace('{KEYS}', `{${keys.join(', ')}}`))
    const options = {
      cwd: folder,
      stdio: 'pipe',
      timeout: 8_000,
      env: { ...process.env, HOME: folder, TERM: 'dumb' },
    } as const
    // Its exit code only says that a search found nothing.
    const { error, stderr } = spawnSync(vim, ['-es', '-u', 'NONE', '-i', 'NONE', '-N', '-n', '-S', 'run.vim'], options)
    if (error) throw new Error(`vim did not run: ${String(stderr)}`, { cause: error })
    const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as RawState[][]
    return seen.map(states => states.map(seenState))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type RawState = { lines: string[]; pos: [line: number, byte: number]; registers: Record<string, string> }

function seenState({ lines, pos: [line, byte], registers }: RawState): SeenByVim {
  const before = lines.slice(0, line - 1).map(text => text.length + 1)
  const inLine = Buffer.from(lines[line - 1] ?? '')
    .subarray(0, byte - 1)
    .toString().length
  return { text: lines.join('\n'), caret: before.reduce((sum, length) => sum + length, 0) + inLine, registers }
}
