import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyProject, repository, type GitProject } from './reading.ts'

/** Every subcommand that may only read, with what makes it look at files and settings. */
const READING = [
  'git status',
  'git status -v',
  'git diff',
  'git diff HEAD',
  'git diff --stat',
  'git log -p -2',
  'git log -p -m -2',
  'git show',
  'git blame b.file',
  'git describe --always',
  'git ls-files -m',
  'git branch -a -v',
  'git shortlog HEAD',
  'git rev-list -2 HEAD',
  'git rev-parse --show-toplevel',
  'git tag -l',
  'git remote -v',
]

async function outputs(project: GitProject, commands: readonly string[] = READING): Promise<(string | null)[]> {
  const found = []
  for (const command of commands) {
    found.push(await project.attempt(command))
    expect([command, project.ran()]).toEqual([command, false])
  }
  return found
}

test('in an ordinary repository all reading commands run, and say the same as ever', async () => {
  const project = repository()
  const commands = ['git status --short', 'git diff --stat', 'git log --oneline', 'git --no-optional-locks status -s']
  const found = await outputs(project, [...commands, ...READING])
  expect(found.every(output => output !== null)).toBe(true)
  expect(found[0]).toBe(' M b.file\n')
  expect(found[0]).toBe(project.git('status', '--short'))
  expect(found[1]).toBe(project.git('diff', '--stat'))
  expect(found[2]).toBe(project.git('log', '--oneline'))
})

test.each(['/bin/sh', '/bin/bash', '/bin/dash'])('the line before a command is one of %s', async shell => {
  const project = repository()
  project.git('config', 'filter.a"b.clean', 'x')
  expect(await project.attempt('git status --short', { shell })).toBe(' M b.file\n')
})

describe('settings that projects have are no reason to ask', () => {
  test('husky: the folder of its hooks', async () => {
    const project = repository()
    project.git('config', 'core.hooksPath', '.husky/_')
    project.write('.husky/_/post-index-change', `#!/bin/sh\n${project.canary}\n`)
    chmodSync(path.join(project.folder, '.husky/_/post-index-change'), 0o755)
    expect(await outputs(project)).not.toContain(null)
  })

  test('git LFS: its filters', async () => {
    const project = repository()
    project.write('.gitattributes', '*.file filter=lfs diff=lfs merge=lfs -text\n')
    for (const name of ['clean', 'smudge', 'process']) project.git('config', `filter.lfs.${name}`, project.canary)
    project.git('config', 'filter.lfs.required', 'true')
    project.git('config', 'lfs.repositoryformatversion', '0')
    project.git('config', 'lfs.https://example.org/a.git/info/lfs.access', 'basic')
    expect(await outputs(project)).not.toContain(null)
  })

  test('a filter with an odd name', async () => {
    const project = repository()
    project.write('.gitattributes', '*.file filter=a=b\n')
    project.git('config', 'filter.a=b.clean', project.canary)
    appendFileSync(path.join(project.folder, '.git/config'), `[filter "x'y\\"z\\\\"]\nclean = ${project.canary}\n`)
    expect(await outputs(project)).not.toContain(null)
  })

  test('text converters, merge drivers, tools, aliases, passwords, ssh and proxies', async () => {
    const project = repository()
    project.write('.gitattributes', '*.file diff=x merge=x\n')
    const { canary } = project
    const settings = {
      'diff.x.textconv': canary,
      'diff.x.cachetextconv': 'true',
      'merge.x.driver': canary,
      'log.diffMerges': 'remerge',
      'alias.status': `!${canary}`,
      'difftool.x.cmd': canary,
      'core.pager': canary,
      'pager.log': canary,
      'core.editor': canary,
      'core.sshCommand': canary,
      'core.gitProxy': canary,
      'core.askPass': canary,
      'credential.helper': canary,
      'submodule.recurse': 'true',
      'status.submoduleSummary': 'true',
      'blame.ignoreRevsFile': '/etc/passwd',
      'remote.origin.uploadpack': canary,
      'url.x.insteadOf': 'y',
      'branch.main.description': 'mine',
      'core.fsmonitor': canary,
      'log.showSignature': 'true',
    }
    for (const [key, value] of Object.entries(settings)) project.git('config', key, value)
    expect(await outputs(project)).not.toContain(null)
  })

  test('submodules: what changed inside of them is not looked at', async () => {
    const project = withSubmodule()
    expect(await outputs(project)).not.toContain(null)
    // A submodule itself is a repository that is asked about.
    expect(await project.judge('git status', { in: 'sub' })).toMatchObject({ verdict: 'allow' })
    expect(await project.judge('cd sub && git status')).toMatchObject({ verdict: 'allow' })
  })

  test.each(['none', 'untracked'])('submodules that want to be looked at (%s), by whatever file', async ignore => {
    for (const where of ['.git/config', '.gitmodules', 'index']) {
      const project = withSubmodule()
      const file = where === 'index' ? '.gitmodules' : where
      project.git('config', '-f', file, 'submodule.sub.ignore', ignore)
      project.git('add', '.gitmodules')
      if (where === 'index') rmSync(path.join(project.folder, '.gitmodules'))
      expect([where, ...(await outputs(project))]).not.toContain(null)
    }
  })

  test('linked worktrees', async () => {
    const project = repository()
    project.git('worktree', 'add', '-q', 'linked')
    expect(await project.judge('git status', { in: 'linked' })).toMatchObject({ verdict: 'allow' })
    expect(await project.judge('cd linked; git status')).toMatchObject({ verdict: 'allow' })
    project.git('config', 'gpg.program', project.canary)
    expect(await project.judge('git log', { in: 'linked' })).toMatchObject({ verdict: 'refuse' })
  })

  test('a partial clone may show what it has, and is asked where it would fetch', async () => {
    const project = repository()
    project.git('config', 'remote.origin.promisor', 'true')
    project.git('config', 'remote.origin.partialclonefilter', 'blob:none')
    expect(await project.judge('git status')).toMatchObject({ verdict: 'allow' })
    expect(await project.judge('git diff', { mode: 'ask' })).toMatchObject({
      verdict: 'ask',
      because: 'it may fetch what this partial clone lacks',
    })
  })

  test('hooks in the settings, which newer gits run', async () => {
    const project = repository()
    for (const event of ['post-index-change', 'reference-transaction', 'x']) {
      project.git('config', '--add', 'hook.mine.event', event)
      project.git('config', `hook.${event}.enabled`, 'true')
    }
    project.git('config', 'hook.mine.command', project.canary)
    utimesSync(path.join(project.folder, 'a.txt'), 1, 1)
    expect(await outputs(project)).not.toContain(null)
  })

  test('a folder without a repository', async () => {
    const project = emptyProject()
    expect(await project.attempt('git status')).toContain('not a git repository')
  })
})

/** The submodule `sub` would run the canary, whatever git does in it. */
function withSubmodule(): GitProject {
  const project = repository()
  project.gitIn(project.folder, 'init', '-q', 'made')
  const made = path.join(project.folder, 'made')
  project.write('made/c.file', 'one\n')
  project.gitIn(made, 'add', '.')
  project.gitIn(made, 'commit', '-q', '-m', 'c')
  project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './made', 'sub')
  project.git('commit', '-q', '-m', 'sub')
  const sub = path.join(project.folder, 'sub')
  const { canary } = project
  project.gitIn(sub, 'config', 'core.fsmonitor', canary)
  project.gitIn(sub, 'config', 'filter.x.clean', canary)
  project.gitIn(sub, 'config', 'diff.x.textconv', canary)
  project.write('sub/.gitattributes', '* filter=x diff=x\n')
  project.write('sub/c.file', 'two\n')
  rmSync(made, { recursive: true })
  return project
}

describe('settings that could make a reading command run a program or read other files are asked about', () => {
  test.each([
    '[diff "x"]\ncommand = ./a.sh',
    '[diff]\nexternal = ./a.sh',
    '[gpg]\nprogram = ./a.sh',
    '[gpg "ssh"]\ndefaultKeyCommand = ./a.sh',
    '[core]\nattributesFile = /etc/passwd',
    '[core]\nalternateRefsCommand = ./a.sh',
    '[mailmap]\nfile = /etc/passwd',
    '[lfs "extension.x"]\nclean = ./a.sh',
    '[unheard]\nof = ./a.sh',
    '[core]\nworktree = /',
    '[core]\nbare = true',
  ])('%j', async text => {
    const project = repository()
    appendFileSync(path.join(project.folder, '.git', 'config'), `\n${text}\n`)
    expect(await project.judge('git status', { mode: 'ask' })).toMatchObject({ verdict: 'ask' })
    expect(await project.judge('git log', { mode: 'plan' })).toMatchObject({ verdict: 'refuse' })
  })

  test('the reason names the setting', async () => {
    const project = repository()
    project.git('config', 'diff.external', './a.sh')
    expect(await project.judge('git diff', { mode: 'ask' })).toMatchObject({
      because: 'the setting diff.external of the repository can change what git runs or reads',
    })
  })
})

describe('ways past a reader of git’s files', () => {
  const ways: Record<string, (project: GitProject) => void> = {
    'a hook of the repository'(project) {
      project.write('.git/hooks/post-index-change', `#!/bin/sh\n${project.canary}\n`)
      chmodSync(path.join(project.folder, '.git/hooks/post-index-change'), 0o755)
      // A file whose time alone is new makes git write its index.
      utimesSync(path.join(project.folder, 'a.txt'), 1, 1)
    },
    'a carriage return inside of a line of settings': project =>
      append(project, `[core]\n\tfsmonitor = true\r"; ${project.canary}"\n`),
    'a line separator of Unicode inside of a line of settings': project =>
      append(project, `[core]\n\tfsmonitor = true\u2028"; ${project.canary}"\n`),
    'a value that goes on in the next line': project =>
      append(project, `[core]\n\tfsmonitor = \\\n${project.canary}\n`),
    'an included file': project => {
      project.write('.git/more', `[core]\n\tfsmonitor = ${project.canary}\n[diff]\n\texternal = ${project.canary}\n`)
      append(project, '[include]\n\tpath = more\n')
    },
    'an included file of the project': project => {
      project.write('shared', '[user]\n\tname = Ann\n')
      append(project, '[include]\n\tpath = ../shared\n')
    },
    'settings of the working tree': project => {
      project.git('config', 'extensions.worktreeConfig', 'true')
      project.git('config', '--worktree', 'core.fsmonitor', project.canary)
      project.git('config', '--worktree', 'diff.external', project.canary)
    },
    'a .git file with odd spaces': project => {
      append(project, `[core]\n\tfsmonitor = ${project.canary}\n`)
      moveGit(project, ' \treal ')
      project.write('.git', 'gitdir:  \treal \n\r\n')
    },
    'a .git file with a newline in the path': project => {
      const odd = 're\nal'
      append(project, `[core]\n\tfsmonitor = ${project.canary}\n`)
      moveGit(project, odd)
      project.write('.git', `gitdir: ${odd}`)
    },
    'an empty .git beside files that look like a repository': project => {
      moveGit(project, 'bare')
      for (const name of ['HEAD', 'config', 'objects', 'refs', 'index'])
        renameSync(path.join(project.folder, 'bare', name), path.join(project.folder, name))
      append(project, `[core]\n\tworktree = .\n\tfsmonitor = ${project.canary}\n`, 'config')
      mkdirSync(path.join(project.folder, '.git'))
    },
    'a HEAD that is a dangling link': project => {
      append(project, `[core]\n\tfsmonitor = ${project.canary}\n[diff]\n\texternal = ${project.canary}\n`)
      rmSync(path.join(project.folder, '.git/HEAD'))
      symlinkSync('refs/heads/nothing', path.join(project.folder, '.git/HEAD'))
    },
    'a commondir that leads elsewhere': project => {
      moveGit(project, 'common')
      append(
        project,
        `[core]\n\tfsmonitor = ${project.canary}\n[diff]\n\texternal = ${project.canary}\n`,
        'common/config',
      )
      mkdirSync(path.join(project.folder, '.git'))
      copyFileSync(path.join(project.folder, 'common/HEAD'), path.join(project.folder, '.git/HEAD'))
      copyFileSync(path.join(project.folder, 'common/index'), path.join(project.folder, '.git/index'))
      project.write('.git/commondir', '../common\n')
    },
    'six edits of text that make the folder a repository': project => {
      moveGit(project, '../elsewhere')
      project.write('HEAD', 'ref: refs/heads/main\n')
      project.write('commondir', path.join(project.folder, 'common'))
      project.write('common/objects/x', '')
      project.write('common/refs/x', '')
      project.write('common/config', '[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n')
      project.write('config.worktree', `[core]\nbare = false\nworktree = .\nfsmonitor = ${project.canary}\n`)
    },
  }

  test.each(Object.keys(ways))('%s', async name => {
    const project = repository()
    ways[name]?.(project)
    await outputs(project)
    // A git that nobody held would have run it.
    project.plain('touch a.txt; git status; git diff; git describe --always')
    expect(project.ran()).toBe(!name.startsWith('an included file of'))
  })

  test('two of them survive a clone', async () => {
    // A bare repository among the files, and a submodule that is not registered.
    const project = repository()
    project.git('clone', '-q', '--bare', '.', 'inner')
    append(project, `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${project.canary}\n`, 'inner/config')
    for (const command of READING) {
      await project.attempt(command, { in: 'inner' })
      expect([command, project.ran()]).toEqual([command, false])
      await project.attempt(`cd inner && ${command}`)
      expect([command, project.ran()]).toEqual([command, false])
    }
  })
})

function append({ folder }: GitProject, text: string, file = '.git/config'): void {
  appendFileSync(path.join(folder, file), text)
}

function moveGit({ folder }: GitProject, to: string): void {
  renameSync(path.join(folder, '.git'), path.join(folder, to))
}

describe('an edit that completes a repository asks', () => {
  test('each of the six that would make the folder one', async () => {
    const project = emptyProject()
    for (const file of ['HEAD', 'commondir', 'config.worktree', '.git', '.git/config', 'sub/HEAD'])
      expect([file, await project.judgeEdit(file)]).toMatchObject([file, { verdict: 'ask' }])
    for (const file of ['config', 'objects/a', 'refs/a', 'common/config'])
      expect([file, await project.judgeEdit(file)]).toMatchObject([file, { verdict: 'allow' }])
  })

  test('and what a folder with a HEAD still lacks, where that is a link to nowhere, too', async () => {
    const project = emptyProject()
    mkdirSync(path.join(project.folder, 'a'))
    symlinkSync('refs/heads/nothing', path.join(project.folder, 'a/HEAD'))
    symlinkSync('a', path.join(project.folder, 'b'))
    for (const file of ['a/config', 'a/objects/x', 'a/refs/x', 'b/config'])
      expect([file, await project.judgeEdit(file)]).toMatchObject([file, { verdict: 'ask' }])
  })
})

test('git is asked about the folder of -C, as the line sees it', async () => {
  const project = repository()
  const sub = path.join(project.folder, 'sub')
  mkdirSync(sub)
  symlinkSync(sub, path.join(project.folder, 'link'))
  project.gitIn(sub, 'init', '-q')
  for (const way of [
    'git -C sub status',
    `git -C ${sub} --no-pager log`,
    'cd . && git -C link status',
    'cd sub; git -C . status',
  ])
    expect([way, await project.judge(way)]).toMatchObject([way, { verdict: 'allow' }])
  expect(await project.attempt('git -C sub rev-parse --show-toplevel')).toBe(`${sub}\n`)
  project.gitIn(sub, 'config', 'diff.external', project.canary)
  for (const way of ['git -C sub status', 'git -C link status', 'cd sub; git -C . status', 'cd .; git -C sub diff'])
    expect([way, await project.judge(way)]).toMatchObject([way, { verdict: 'refuse' }])
  for (const way of [
    'git -C .. status',
    'git -C $X status',
    "git -C '~' status",
    'git -C / status',
    'git -C . -C sub status',
  ])
    expect([way, await project.judge(way)]).toMatchObject([way, { verdict: 'refuse' }])
  for (const way of ['git -C sub diff a ../../b', 'git -C sub --git-dir=x log', 'git -C'])
    expect([way, await project.judge(way)]).toMatchObject([way, { verdict: 'refuse' }])
})

test('programs of the user’s own settings, and those that git knows, are not the project’s', async () => {
  const project = repository()
  const settings = path.join(path.dirname(project.folder), 'gitconfig')
  writeFileSync(settings, '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n')
  const { PATH = '', GIT_CONFIG_GLOBAL = '' } = process.env
  const bin = path.join(project.folder, 'bin')
  Object.assign(process.env, { PATH: `${bin}:${PATH}`, GIT_CONFIG_GLOBAL: settings })
  onTestFinished(() => void Object.assign(process.env, { PATH, GIT_CONFIG_GLOBAL }))
  expect(await project.judge('git status')).toMatchObject({ verdict: 'allow' })
  for (const program of ['git-lfs', 'gpg']) {
    project.write(`bin/${program}`, '#!/bin/sh\n')
    chmodSync(path.join(bin, program), 0o755)
    expect(await project.judge('git status', { mode: 'ask' })).toMatchObject({
      because: `git may run ${program}, which is a program of the project`,
    })
    rmSync(path.join(bin, program))
  }
})

describe('git reads the repository of the folder only', () => {
  test('not another one that a .git file names', async () => {
    const project = repository()
    moveGit(project, '../secret')
    project.write('.git', 'gitdir: ../secret\n')
    expect(await project.judge('git show HEAD:a.txt', { mode: 'ask' })).toMatchObject({
      because: expect.stringContaining('does not name this folder'),
    })
  })

  test('nor a folder above that the settings name', async () => {
    const project = repository()
    writeFileSync(path.join(project.folder, '../outside'), 'secret\n')
    project.git('config', 'core.worktree', path.dirname(project.folder))
    expect(await project.judge('git status')).toMatchObject({ verdict: 'refuse' })
  })

  test('nor where a variable leads', async () => {
    const project = repository()
    process.env['GIT_DIR'] = '/nowhere'
    const verdict = await project.judge('git status', { mode: 'ask' })
    delete process.env['GIT_DIR']
    expect(verdict).toMatchObject({ verdict: 'ask', because: 'GIT_DIR leads git to another repository' })
  })

  test('a repository around the folder is read', async () => {
    const project = repository()
    project.write('deep/er/x', '')
    expect(await project.attempt('git status --short', { in: 'deep/er' })).toBe(' M ../../b.file\n?? ../\n')
  })
})

describe('a line that does more than read', () => {
  test('asks about its git commands, whose settings would change the others', async () => {
    const project = repository()
    const rules = ['Bash(touch:*)', 'Bash(git commit:*)']
    for (const command of ['touch x; git status', 'git commit -m x && git log'])
      expect(await project.judge(command, { mode: 'ask', rules })).toMatchObject({
        verdict: 'ask',
        because: expect.stringContaining('git reads after or beside a command that does more than read'),
      })
    const verdict = await project.judge('touch x; git status', { mode: 'ask', rules: [...rules, 'Bash(git status)'] })
    expect(verdict).toMatchObject({ verdict: 'allow' })
    expect(verdict).not.toHaveProperty('git')
  })
})

test('the user’s own settings in variables stay', async () => {
  const project = repository()
  Object.assign(process.env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'status.short', GIT_CONFIG_VALUE_0: 'true' })
  const output = await project.attempt('git status')
  for (const name of ['COUNT', 'KEY_0', 'VALUE_0']) delete process.env[`GIT_CONFIG_${name}`]
  expect(output).toBe(' M b.file\n')
  expect(readFileSync(path.join(project.folder, 'b.file'), 'utf8')).toBe('two\n')
})
