/** Finds the commands that are used on a terminal: editors, pagers, and programs that ask at the keyboard. */

/** Programs that draw on the whole screen or read keys, whatever their arguments are. */
const ON_A_TERMINAL: ReadonlySet<string> = new Set(
  `vi vim view vimdiff nvim nano pico micro helix hx kak joe ne mg ed emacs less more most man info
  top htop btop atop tig lazygit gitui mc ranger nnn lf fzf tmux screen watch gdb lldb
  su sudo doas passwd ssh mosh telnet ftp sftp ncdu mutt dialog whiptail`.split(/\s+/),
)

/** Interpreters that read from the keyboard when they get no file and no code. */
const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set(
  'sh bash zsh fish dash python python3 ipython node deno bun irb ghci lua sqlite3 psql mysql redis-cli'.split(' '),
)

/** Programs that run the rest of their words. */
const BEFORE_ANOTHER: ReadonlySet<string> = new Set(['env', 'command', 'exec', 'nice', 'time'])

/** The name of the program in this command line that needs a terminal; null for none. One in the middle of a pipe does not. */
export function needsTerminal(line: string): string | null {
  for (const { text, isPiped, isBehind } of pieces(line)) {
    const words = text.trim().split(/\s+/)
    const from = words.findIndex(word => !/^\w+=/.test(word) && !BEFORE_ANOTHER.has(word))
    const [word = '', ...rest] = from < 0 ? [] : words.slice(from)
    const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    if (isPiped || isBehind || /[<>]/.test(text)) continue
    if (ON_A_TERMINAL.has(name) || (rest.length === 0 && WITHOUT_ARGUMENTS.has(name)) || opensEditor(name, rest))
      return name
  }
  return null
}

/** Whether git opens an editor, or asks about each change. */
function opensEditor(name: string, [command = '', ...options]: readonly string[]): boolean {
  if (name !== 'git') return false
  const has = (pattern: RegExp): boolean => options.some(option => pattern.test(option))
  if (command === 'commit')
    return !has(/^(?:-[a-zA-Z]*[mFCh]|--(?:message|file|no-edit|reuse-message|dry-run|fixup|help))/)
  if (command === 'rebase') return has(/^(?:-i|--interactive|--edit-todo)$/)
  return ['add', 'checkout', 'restore', 'reset', 'stash'].includes(command) && has(/^(?:-p|--patch|-i|--interactive)$/)
}

type CommandPiece = { text: string; isPiped: boolean; isBehind: boolean }

/** The simple commands of a line, by the separators outside of quotes. What is quoted becomes a word without blanks. */
function pieces(line: string): CommandPiece[] {
  const found: CommandPiece[] = []
  let text = ''
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
      text += '_'
    } else if (character === '\\') {
      at += 1
      text += '_'
    } else if (character === '"' || character === "'" || character === '`') {
      quote = character
      text += '_'
    } else if (/[|;&\n]/.test(character) && line.charAt(at - 1) !== '>') {
      const isDouble = line.charAt(at + 1) === character
      found.push({ text, isPiped: character === '|' && !isDouble, isBehind: character === '&' && !isDouble })
      if (isDouble) at += 1
      text = ''
    } else text += character
  }
  return [...found, { text, isPiped: false, isBehind: false }]
}
