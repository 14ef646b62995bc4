/** Asks git about the repositories in which an agent's commands read: on this machine, or on the other one. */
import process from 'node:process'
import {
  createKnownRepositories,
  type AskRepositories,
  type KnownRepositories,
} from '../../../../src/platform/git/known-repositories.ts'
import { REDIRECTING } from '../../../../src/platform/git/switches.ts'
import type { GitSays, GitTracks, QuestionedGit } from '../../../../src/platform/git/repository.ts'
import type { Remote } from '../remote.ts'

/** Milliseconds for one question, and for all about a folder. zot waits for 4.5 s until a call is decided. */
const LIMIT = 1500
const LIMIT_OF_ALL = 3000
/** Bytes of the settings, or of the names of files. */
const MOST = 1024 * 1024

/** `folder` is that of the session, without links. Nothing is loaded before the first question. */
export function knownRepositories(folder: string, remote: Remote | null): KnownRepositories {
  let asking: Promise<AskRepositories> | null = null
  const redirected = remote ? undefined : REDIRECTING.find(name => process.env[name] !== undefined)
  const asker = async (): Promise<AskRepositories> => (asking ??= createAsker(folder, remote))
  return createKnownRepositories({
    async settings(at): Promise<GitSays> {
      // The agent has our environment, and its git would look at other places than ours.
      if (redirected)
        return { reason: `${redirected} leads git to another repository`, isPartial: false, programs: [], settings: [] }
      return (await asker()).settings(at)
    },
    async tracked(at): Promise<GitTracks | null> {
      return redirected ? null : (await asker()).tracked(at)
    },
  })
}

async function createAsker(folder: string, remote: Remote | null): Promise<AskRepositories> {
  const [{ createGit }, { askRepository, askTracked }, { createRemoteFiles }] = await Promise.all([
    import('../../../../src/changes/run-git.ts'),
    import('../../../../src/platform/git/repository.ts'),
    import('../../../../src/platform/remote/remote-files.ts'),
  ])
  const files = remote && createRemoteFiles(remote.machine, remote.machine.target.name)
  const remoteFiles = remote && files ? { machine: remote.machine, files } : undefined
  const asking =
    (signal: AbortSignal): QuestionedGit =>
    async (at, args, variables = {}) => {
      const place = { folder: at, project: folder, env: process.env, signal, limit: LIMIT, most: MOST }
      const git = await createGit({ ...place, variables, ...(remoteFiles && { remote: remoteFiles }) })
      return git(args)
    }
  const inTime = (): QuestionedGit => asking(AbortSignal.timeout(LIMIT_OF_ALL))
  return {
    settings: at => askRepository(inTime(), at, remote ? remote.survey.folder : folder),
    tracked: at => askTracked(inTime(), at),
  }
}
