/** The same over a real sshd on this machine's loopback. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import { fetchBack } from '../../src/move/back.ts'
import { BOOT } from '../../src/platform/remote/quoting.ts'
import { quoted } from '../../src/platform/shell/quoting.ts'
import { sshdPath, startSshd } from '../helpers/sshd.ts'
import { leftOvers, moveStage } from './stage.ts'

test.skipIf(sshdPath === null)(
  'a folder with megabytes goes over ssh and comes back',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zotui-sshd-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { bin } = await startSshd(join(folder, 's'), { PATH: '/usr/bin:/bin' })
    const stage = moveStage(home => ({
      name: 'ssh:far',
      identity: '',
      file: join(bin, 'ssh'),
      args: ['-T', '--', 'far', `env HOME=${home} TMPDIR=${home}/tmp sh -c ${quoted(BOOT)}`],
      folder: null,
    }))
    const large = randomBytes(8 * 1024 * 1024)
    writeFileSync(join(stage.folder, 'large.bin'), large)
    const shares: number[] = []
    const how = { progress: (share: number) => void shares.push(share), signal: stage.stopping.current.signal }
    const away = await prepareAway(stage, stage)
    const { folder: there, top, branch } = await carryAway(stage, away, how)
    await away.end()
    expect(readFileSync(join(there, 'large.bin')).equals(large)).toBe(true)
    expect(shares.at(-1)).toBe(1)
    const { look, pack, id } = away
    const facts = { branch: look.branch, head: look.head, commit: pack.commit, tree: pack.tree, at: 0, bringing: null }
    const from = { folder: stage.folder, top: look.top, there: { folder: there, top, branch } }
    const more = randomBytes(8 * 1024 * 1024)
    writeFileSync(join(there, 'more.bin'), more)
    const back = await fetchBack(stage, { id, machine: 'ssh:far', ...from, ...facts }, how)
    await back.into()
    await back.end(true)
    expect(readFileSync(join(stage.folder, 'more.bin')).equals(more)).toBe(true)
    expect(leftOvers(stage)).toEqual([])
  },
)
