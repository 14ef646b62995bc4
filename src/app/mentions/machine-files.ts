/** Access to mentioned files on this machine or on another. */
import { listFolder } from '../../platform/files/list.ts'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import { listRemote } from '../../platform/remote/list-files.ts'
import type { RemoteMachine } from '../../platform/remote/machine.ts'
import type { ListFolder } from './read-file.ts'

/** `remote` is undefined for this machine. */
export function machineFiles(remote: { machine: RemoteMachine; files: ProjectFiles } | undefined): {
  files: ProjectFiles
  list: ListFolder
} {
  if (!remote) return { files: here, list: (folder, most) => listFolder(folder, most) }
  const { machine, files } = remote
  return { files, list: (folder, most) => listFolder(folder, most, listRemote(machine, folder)) }
}
