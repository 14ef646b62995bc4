/** Places that a command in the sandbox has left: what waits for the person's answer, and how it is removed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createJudge, noRules } from '../../src/app/permissions/judge.ts'
import { createGit } from '../../src/changes/run-git.ts'
import { createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { heldPlaces, whyAskFirst, whyNoGit, type HeldPlace } from '../../src/platform/held-places.ts'
import { listFolder } from '../../src/platform/files/list.ts'
import { listUnfinishedIn, unfinishedFolder } from '../../src/platform/unfinished-folder.ts'
import { place as usual } from '../permissions/policy.ts'

function write(path: string, content = ''): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

function stage() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-held-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const [state, folder, outside] = [join(top, 'state'), join(top, 'project'), join(top, 'outside')]
  for (const each of [state, folder, outside]) mkdirSync(each)
  return { top, state, folder, outside, places: heldPlaces(folder, state) }
}

const isNew = (path: string, kind: HeldPlace['kind'] = 'protected'): HeldPlace => ({ path, kind, isNew: true })

describe('places without an answer', () => {
  test('are known to every zotui and after a restart, and only the user can read their list', () => {
    const { state, folder, places } = stage()
    const [one, other] = [write(join(folder, 'b/.envrc')), write(join(folder, '.git/HEAD'))]
    places.hold([isNew(one)])
    heldPlaces(folder, state).hold([isNew(join(folder, '.git'), 'repository'), isNew(one)])
    expect(heldPlaces(folder, state).list()).toEqual([isNew(dirname(other), 'repository'), isNew(one)])
    const [project = ''] = readdirSync(join(state, 'held-places'))
    expect(statSync(join(state, 'held-places', project)).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(join(state, 'held-places', project)))
      expect(statSync(join(state, 'held-places', project, name)).mode & 0o777).toBe(0o600)
  })

  test('a command that its zotui does not survive makes the project unknown, until the user has answered', async () => {
    const { state, folder, places } = stage()
    const unknown = { path: folder, kind: 'unknown', isNew: false } as const
    mkdirSync(join(folder, '.git'))
    places.begin().end()
    places.begin()
    expect([places.list(), whyNoGit([folder], state)]).toEqual([[], null])
    const [own = ''] = readdirSync(join(state, 'held-places'))
    const [name = ''] = readdirSync(join(state, 'held-places', own))
    // Process 1 began at another time.
    renameSync(
      join(state, 'held-places', own, name),
      join(state, 'held-places', own, name.replace(/-\d+-\d+-/, '-1-77-')),
    )
    expect(places.list()).toEqual([unknown])
    expect(whyAskFirst(folder, state)).toContain(folder)
    expect(await places.answer(folder, 'remove')).toContain('was there before')
    expect(await places.answer(folder, 'keep')).toBe(null)
    expect([places.list(), readdirSync(join(state, 'held-places', own))]).toEqual([[], []])
  })

  test('while a command runs where there is no repository, no git of ours does: it could make one', () => {
    const { state, folder, outside, places } = stage()
    const { end } = places.begin()
    expect(whyNoGit([join(folder, 'a')], state)).toContain('while a command runs')
    expect([whyNoGit([outside], state), whyAskFirst(folder, state)]).toEqual([null, null])
    end()
    expect(whyNoGit([folder], state)).toBe(null)
  })

  test('what cannot be held makes the project unknown at once', async () => {
    const { state, folder, places } = stage()
    places.begin().lose()
    expect(places.list()).toEqual([{ path: folder, kind: 'unknown', isNew: false }])
    expect(whyNoGit([folder], state)).not.toBe(null)
    await places.answer(folder, 'keep')
    expect(places.list()).toEqual([])
  })

  test('one that is gone holds nothing, and one that comes back is as new as it was', () => {
    const { state, folder, places } = stage()
    const path = write(join(folder, '.envrc'))
    places.hold([isNew(path)])
    rmSync(path)
    expect([places.list(), whyNoGit([folder], state)]).toEqual([[], null])
    write(path)
    places.hold([{ ...isNew(path), isNew: false }])
    expect(places.list()).toEqual([isNew(path)])
  })

  test('a folder that could not be looked through is held until the user says that it stays', async () => {
    const { state, folder, places } = stage()
    places.hold([{ path: folder, kind: 'unknown', isNew: false }])
    expect(whyNoGit([folder], state)).toBe(`zotui runs no git here until you have looked at ${folder} (/sandbox)`)
    expect(await places.answer(folder, 'remove')).toBe(`${folder} was there before: change it back, or keep it`)
    expect(await places.answer(folder, 'keep')).toBeNull()
    expect(whyNoGit([folder], state)).toBeNull()
  })

  test('a list that cannot be read holds everything', () => {
    const { state, folder, places } = stage()
    places.hold([isNew(write(join(folder, '.envrc')))])
    const [project = ''] = readdirSync(join(state, 'held-places'))
    write(join(state, 'held-places', project, 'x'), '{')
    expect(whyNoGit([folder], state)).toContain('zotui runs no git here')
    expect(whyAskFirst('/elsewhere', state)).toContain('an earlier command has left')
    expect(() => places.list()).toThrow('is damaged: remove it')
  })

  test('hold the project, what is in it and what is around it, and nothing else', () => {
    const { state, top, folder, outside, places } = stage()
    places.hold([isNew(write(join(folder, '.envrc')))])
    expect([folder, join(folder, 'a'), top].map(each => whyNoGit([each], state) !== null)).toEqual([true, true, true])
    expect([outside, `${folder}-2`].map(each => whyNoGit([each], state))).toEqual([null, null])
    expect(whyAskFirst(folder, state)).toBe(
      `an earlier command has left ${join(folder, '.envrc')}, which you have not looked at yet (/sandbox)`,
    )
  })
})

describe('an answer', () => {
  test('to keep lifts the hold when all are answered', async () => {
    const { state, folder, places } = stage()
    const paths = [write(join(folder, '.envrc')), write(join(folder, 'a/.envrc'))]
    places.hold(paths.map(path => isNew(path)))
    expect(whyAskFirst(folder, state)).toContain('and 1 more')
    for (const path of paths) expect(await places.answer(path, 'keep')).toBeNull()
    expect(whyNoGit([folder], state)).toBeNull()
    expect(paths.every(path => existsSync(path))).toBe(true)
  })

  test('to remove deletes a file, a link and a folder, and follows no link in it', async () => {
    const { folder, outside, places } = stage()
    const kept = write(join(outside, 'kept'))
    const [file, link, repository] = [write(join(folder, '.envrc')), join(folder, 'out'), join(folder, 'a/.git')]
    symlinkSync(outside, link)
    write(join(repository, 'hooks/pre-commit'))
    symlinkSync(outside, join(repository, 'refs'))
    places.hold([isNew(file), isNew(link, 'link'), isNew(repository, 'repository')])
    for (const path of [file, link, repository]) expect(await places.answer(path, 'remove')).toBeNull()
    expect(places.list()).toEqual([])
    expect([readdirSync(folder), readdirSync(join(folder, 'a')), existsSync(kept)]).toEqual([['a'], [], true])
  })

  test('to remove reaches nothing outside where a folder above has become a link', async () => {
    const { folder, outside, places } = stage()
    const path = write(join(folder, 'a/.envrc'))
    write(join(outside, '.envrc'))
    places.hold([isNew(path)])
    rmSync(join(folder, 'a'), { recursive: true })
    symlinkSync(outside, join(folder, 'a'))
    expect(await places.answer(path, 'remove')).toContain('leads through a link')
    expect([existsSync(join(outside, '.envrc')), places.list()]).toEqual([true, [isNew(path)]])
  })

  test('to remove leaves what was there before, and what was never held', async () => {
    const { folder, places } = stage()
    const [changed, other] = [write(join(folder, '.envrc')), write(join(folder, 'other'))]
    places.hold([{ ...isNew(changed), isNew: false }])
    expect(await places.answer(changed, 'remove')).toBe(`${changed} was there before: change it back, or keep it`)
    expect(await places.answer(other, 'remove')).toBeNull()
    expect([existsSync(changed), existsSync(other)]).toEqual([true, true])
  })
})

/** A project with a repository that waits for an answer. */
function held() {
  const place = stage()
  const before = unfinishedFolder()
  listUnfinishedIn(place.state)
  onTestFinished(() => listUnfinishedIn(before ?? place.state))
  for (const name of ['a', 'sub/b']) write(join(place.folder, name))
  const path = write(join(place.folder, '.git/config'), '[core]\n\trepositoryformatversion = 0\n')
  place.places.hold([isNew(dirname(path), 'repository')])
  return { ...place, repository: dirname(path) }
}

describe('while a place is held', () => {
  test('no git of ours runs there, also one that was made before, and it runs again after the answer', async () => {
    const { folder, outside, places, repository } = held()
    const options = { env: process.env, limit: 5000 }
    const [git, other] = [await createGit({ ...options, folder }), await createGit({ ...options, folder: outside })]
    const around = await createGit({ ...options, folder: outside, project: folder })
    const words = `zotui runs no git here until you have looked at ${repository} (/sandbox)`
    for (const each of [git, around]) expect(await each(['version'])).toEqual({ ok: false, why: 'held', words })
    expect(await other(['version'])).toMatchObject({ ok: true })
    expect(await listFolder(folder, 10)).toEqual(['a', 'sub/', 'sub/b'])
    await places.answer(repository, 'keep')
    expect(await git(['version'])).toMatchObject({ ok: true })
  })

  test('checkpoints say why there are none, and are made again after the answer', async () => {
    const { top, folder, state, places, repository } = held()
    const checkpoints = createCheckpoints({
      folder,
      stateFolder: state,
      home: join(top, 'home'),
      env: process.env,
      now: () => Date.now(),
    })
    const make = () => checkpoints.make({ by: 'user', label: 'x', session: null })
    const words = `zotui runs no git here until you have looked at ${repository} (/sandbox)`
    expect(await make()).toEqual({ ok: false, why: words })
    expect(await places.answer(repository, 'remove')).toBeNull()
    expect(await make()).toMatchObject({ ok: true })
  })

  test.each(['ask', 'edits', 'contained', 'allow', 'plan'] as const)(
    'a command asks in mode %s, and a file is read',
    async mode => {
      const { folder, places, repository } = held()
      const place = { ...usual, folder, resolve: (path: string) => path }
      const judge = createJudge(() => mode, place, noRules)
      await judge.load()
      const request = { id: '1', callId: null, tool: 'bash', arguments: {}, folder }
      const command = { ...request, kind: 'command', command: 'ls' } as const
      expect(judge.judge(command)).toEqual({
        verdict: 'ask',
        because: `an earlier command has left ${repository}, which you have not looked at yet (/sandbox)`,
      })
      expect(judge.judge({ ...request, kind: 'read', paths: [join(folder, 'a')] }).verdict).toBe('allow')
      await places.answer(repository, 'keep')
      expect(judge.judge(command).verdict).toBe('allow')
    },
  )
})
