/**
 * Holds what is taken for reading against real shells and the real programs: whatever line runs without a question, in each shell it
 * changes no variable, function, alias, option or file, and starts no program of the project.
 */
import { array, assert, constantFrom, oneof, property, tuple, type Arbitrary } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { readingCommands } from '../../src/permissions/reading/reading-table.ts'
import { entriesIn } from '../../src/platform/folders.ts'
import { isThere, realPath } from '../../src/platform/real-path.ts'
import { bash, place as usual } from './policy.ts'
import { CANARY, makeTrappedFolder, pathOfShell, shells, type Shell } from './trapped-folder.ts'

const traps = makeTrappedFolder()
afterAll(() => traps.remove())
const { folder, home } = traps
const place: Place = { folder, home, own: [], resolve: realPath, list: entriesIn, exists: isThere, git: usual.git }
const isReading = (line: string): boolean =>
  decide({ mode: 'read', rules: [], place }, { ...bash(line), folder }).verdict === 'allow'

/** Words for any program. Whether one is a file, a value, a format or code is for the program to say. */
const words = [
  'README ./README a "a b" . ./ sub sub/a links links/in links/out links/plain .. ~ ~/project ~+ ~root /etc/passwd /dev/null - -- -x ./-x -rf',
  "-n1 -v -o --output=new --pre=evil '--pre=evil' -exec evil -delete '{}' ';' + =ls '=ls' '~/a' \\~/a ^a a#b a~b PATH PATH=0 'PATH=0' x=1",
  '* ./* *.ts sub/* */a ** .* ? [a-z]* -* {a,b} {1..3} a? sub/{a,b} $X "$X" $Y "$Y" ${X} ${X:-a} ${X:=a} ${X@P} ${!X} ${X#a} $~X $=X $X[1]',
  "$X[PATH=0] \"$X[PATH=0]\" $(evil) `evil` \"$(evil)\" $((PATH=0)) $[1] $'a' 'a[$(evil)]' 'x[1]' %n '%n' '%s\\n' %d '%d %s' '%*d' '%5.1f|' '\\045n'",
  "'%b' '%c' '%q' '%(%s)T' '%2$n' 0 3 5 +1 +%s 1,2p '$p' 1p '1w new' '1e evil' 's/a/b/w new' -5 -1 é à 'à' x\u00a0y a\u2028b %1 !! !a a=b:c ~/a:b \\",
].flatMap(row => row.split(' '))

const word = constantFrom(...words.filter(each => each !== ''))

const redirections = [
  '>new >>new >|new 2>/dev/null 2>&1 </dev/null <README <links/plain <$X {PATH}<README {x}>/dev/null <>new >&new &>new >&2 <&0 3<README <<<a',
  '<(evil) >(evil) =(evil)',
].flatMap(row => row.split(' '))

/** A command of the table, with options that are on the list and others. */
const listed: Arbitrary<string> = oneof(
  ...Object.entries(readingCommands).map(([name, { short, long = [] }]) => {
    const letters = `${short.replaceAll(':', '')}oOwiefRLCxvp`.split('').map(letter => `-${letter}`)
    const options = [...letters, ...letters, ...long.map(each => `--${each.endsWith('=') ? `${each}1` : each}`)]
    const more = array(oneof({ weight: 2, arbitrary: word }, { weight: 1, arbitrary: constantFrom(...options) }), {
      maxLength: 4,
    })
    return more.map(chosen => [name, ...chosen].join(' '))
  }),
)

const others = constantFrom(
  ...'printf find cd pushd popd test [ export alias unalias set unset trap eval read hash type command builtin let true : local declare typeset'.split(
    ' ',
  ),
  ...'readonly source . exec enable shopt setopt zmodload autoload fc history getopts mapfile umask ulimit wait kill jobs times print whence'.split(
    ' ',
  ),
)
const unlisted = tuple(others, array(word, { maxLength: 3 })).map(([name, more]) => [name, ...more].join(' '))
const command = oneof(
  { weight: 6, arbitrary: listed },
  { weight: 1, arbitrary: unlisted },
  { weight: 2, arbitrary: array(word, { maxLength: 4 }).map(more => ['printf', ...more].join(' ')) },
  { weight: 1, arbitrary: tuple(listed, constantFrom(...redirections)).map(parts => parts.join(' ')) },
  { weight: 1, arbitrary: word },
  { weight: 1, arbitrary: constantFrom(...redirections) },
)

/** The lines around a command. The circle is its place. */
const frames = [
  '○·○·○·○; cat README·true && ○·! ○·{ ○; }·(○)·○ | cat·cat README | ○·○ &·if ○; then ls; fi·timeout 5 ○·time ○·nice ○·command ○·command -v ○',
  'nohup ○·exec ○·builtin ○·busybox ○·noglob ○·- ○·x=1 ○·PATH=0 ○·cd sub && ○·cd sub; ○·cd ○; ls·○\nls·○\\\n a·○ # a·echo "$(○)"·echo `○`',
  'for f in ○; do cat README; done·for path in ○; do cat README; done·for f in a; do ○; done·while ○; do break; done·case ○ in *) ls;; esac',
  'case a in ○) ls;; esac·cat <<E\n○\nE·echo <<E\n○\nE\ncat README·cat <<"E"\n○\nE\n·f() { ○; }·{ ○; } >/dev/null·(○) <README·○\r·○\u2028ls·○;\u00a0ls',
].flatMap(row => row.split('·'))
const line = tuple(
  constantFrom(...frames),
  oneof({ weight: 4, arbitrary: command }, { weight: 1, arbitrary: word }),
).map(([frame, inner]) => frame.replace('○', () => inner))

/** Each case once: what a random line seldom hits. */
const loops = 'abcdefghijklmnopqrstuvwxyz'
  .split('')
  .concat(
    'arg base branch env file files fn idx item lib line lines log main name num path port status term user val value argv cdpath fpath'.split(
      ' ',
    ),
    'module_path mailpath manpath prompt psvar fignore watch signals pipestatus options commands functions aliases history'.split(
      ' ',
    ),
  )
const each = [
  ...loops.map(name => `for ${name} in ./0 a; do cat README; done`),
  ...words.map(text => `printf ${text} PATH=0; cat README`),
  ...words.map(text => `printf '%s %d %b' ${text} 3 a; cat README`),
  ...words.flatMap(text => [`echo ${text}`, `cd ${text} && ls`, `case ${text} in *) ls;; esac`]),
  ...words.map(text => `echo <<E\n${text}\nE\ncat README`),
  ...redirections.flatMap(text => [`true ${text}; cat README`, `cat ${text}`, text, `{ ls; } ${text}`]),
]

function problemOf(shell: Shell, text: string): string | null {
  const { output, ran, changes } = traps.run(shell, text)
  // `cd` is seen in the shell of one call only.
  const lasting = changes.filter(change => !/\bcd\b/.test(text) || !change.includes(home))
  if (output.includes(CANARY)) lasting.push(`it printed ${output}`)
  if (ran.length === 0 && lasting.length === 0) return null
  return `${shell}, ${JSON.stringify(text)}: ${[...ran.map(name => `${name} ran`), ...lasting].join('; ').slice(0, 500)}`
}

describe.each(shells)('in %s', shell => {
  const isHere = pathOfShell(shell) !== null

  test.skipIf(!isHere)(
    'what is taken for reading changes nothing and runs nothing of the project',
    () => {
      let count = 0
      assert(
        property(line, text => {
          if (!isReading(text)) return
          count++
          const problem = problemOf(shell, text)
          if (problem !== null) throw new Error(problem)
        }),
        { numRuns: Number(process.env['RUNS'] ?? 500) },
      )
      expect(count).toBeGreaterThan(40)
    },
    600_000,
  )

  test.skipIf(!isHere)(
    'each word and each name of a loop is harmless where it is taken for reading',
    () => {
      const read = each.filter(isReading)
      expect(read.length).toBeGreaterThan(100)
      expect(read.flatMap(text => problemOf(shell, text) ?? [])).toEqual([])
    },
    600_000,
  )

  test.skipIf(!isHere)('the traps show what changes and what runs', () => {
    // busybox has a cat of its own.
    expect(problemOf(shell, 'PATH=0; git log')).toMatch(/git ran; .*PATH/)
    expect(problemOf(shell, './ls; evil')).toMatch(/ls ran; evil ran/)
    expect(problemOf(shell, 'sort -o new a')).toMatch(/\+ new /)
    expect(problemOf(shell, 'set -f')).toMatch(/noglob|-f/)
    expect(problemOf(shell, 'alias ls=evil')).toMatch(/ls=/)
    expect(problemOf(shell, 'cat README | head -1')).toBe(null)
    traps.run(shell, '/bin/rm new')
  })
})
