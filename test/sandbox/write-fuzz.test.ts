/** Random commands in the box for writing: all that is outside of the project stays as it is. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { assert, asyncProperty, array, constantFrom, oneof, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { writeStage } from '../helpers/write-box-stage.ts'
import { canBox } from '../helpers/can-box.ts'

const words = (text: string) => constantFrom(...text.split(' '))

/**
 * Paths in the project, out of it, and to what decides what runs later. Not `/proc/self/fd/0`: it is the machine's /dev/null, whose mode
 * root may change there, and every later test of an ordinary user would fail.
 */
const place = words(
  '. .. ../.. a.txt sub sub/b.txt new .git .git/config .git/hooks .git/hooks/pre-commit .git/info .git/info/attributes .git/HEAD .git/index .git/x ' +
    '.envrc .vscode .vscode/x out out/file ../other ../other/file ../other/.git/config ~ ~/.bashrc ~/.cargo ~/.cargo/bin ~/x / /etc /etc/passwd ' +
    '/tmp /tmp/x /proc/self/root /proc/1/root /proc/self/cwd/.. /dev/shm/x $REAL $REAL/.bashrc $REAL/other/file $REAL/new $TOP/caches',
)
/** Not all of the machine. */
const source = place.filter(each => !/^(?:\/|\/etc|~|\.\.\/\.\.|\$TOP.*|\/proc\S*)$/.test(each))
const action = words(
  'rm:-rf rm:-f mkdir:-p touch chmod:777 chmod:555 chmod:u+s truncate:-s:0 ls cat git:-C git:add git:rm git:mv:. git:init git:clone:.. find:-delete tee:-a tar:xf rmdir mkfifo',
)
const action2 = words(
  'mv cp:-r cp:-a ln ln:-s ln:-sfn mv:-T cp:--remove-destination install tar:cf mount:--bind git:--git-dir dd:of=x:if=a.txt rsync:-a',
)
const spread = (text: string): string => text.replaceAll(':', ' ')
const simple = oneof(
  tuple(action, place).map(([what, at]) => `${spread(what)} ${at}`),
  tuple(action2, source, place).map(([what, from, to]) => `${spread(what)} ${from} ${to}`),
  tuple(words('> >> >|'), place).map(([into, at]) => `echo evil ${into} ${at}`),
  place.map(at => `cd ${at}`),
  words(
    'git:commit:-qam:x git:checkout:-qb:y git:stash git:reset:--hard git:config:core.pager:x git:gc:-q umount:.git kill:-9:-1',
  ).map(spread),
)
const script = array(tuple(simple, words('; && || | &')), { minLength: 1, maxLength: 6 }).map(
  parts => `${parts.map(([line, joint]) => `${line} ${joint}`).join(' ')} :`,
)

describe.skipIf(!canBox)('in the box for writing', () => {
  test('whatever runs, all that is outside of the project stays as it is', { timeout: 300_000 }, async () => {
    const stage = writeStage()
    const { top, home, folder, caches } = stage
    for (const at of ['other/.git', '.cargo/bin']) mkdirSync(path.join(home, at), { recursive: true })
    for (const at of [path.join(folder, 'sub'), path.join(folder, '.vscode')]) mkdirSync(at)
    for (const at of ['.bashrc', 'other/file', 'other/.git/config', '.cargo/bin/x'])
      writeFileSync(path.join(home, at), 'x')
    for (const at of ['.envrc', '.vscode/x', 'sub/b.txt']) writeFileSync(path.join(folder, at), 'x')
    symlinkSync('../other', path.join(folder, 'out'))
    const decisive = ['.git/config', '.git/hooks', '.git/info', '.envrc', '.vscode'].map(name =>
      path.join(folder, name),
    )
    const kept = (): string => snapshot([top, ...decisive, `${caches}/empty`, `${caches}/settings-0`], [folder, caches])
    // The first box makes what it needs.
    await stage.run('true')
    const before = kept()
    await assert(
      asyncProperty(script, async line => {
        const { output } = await stage.run(`ulimit -f 4000; REAL='${home}'; TOP='${top}'; ${line}`, { limit: 3000 })
        expect(output).not.toContain('the box could not be made')
        expect(kept()).toBe(before)
      }),
      { numRuns: Number(process.env['ZOTUI_FUZZ'] ?? 150) },
    )
  })
})
