/** Resolves the path of a call to a file. */
import { dirname, join, parse, resolve, sep } from 'node:path'
import { here, type ProjectFiles } from '../platform/project-files.ts'
import { isWithin } from '../platform/within.ts'
import { ToolFailure, type ToolRunContext, type ToolRunOptions } from './tool.ts'

/** The highest number of links in one path, as on Linux. */
const MOST_LINKS = 40

export type ToolPath = {
  /** The path in the call, made absolute. */
  named: string
  /** The file itself, after all links. It need not exist. */
  path: string
}

/** Resolves a path relative to the folder. Follows links to targets that do not exist yet, since writing would create them. */
export async function locate(folder: string, path: string, place: ProjectFiles = here): Promise<ToolPath> {
  if (path.includes('\0')) throw new ToolFailure('the path contains a NUL character')
  const named = resolve(folder, path)
  return { named, path: await endOf(named, place) }
}

export async function isOutside({ path }: ToolPath, folder: string, place: ProjectFiles): Promise<boolean> {
  return !isWithin(await place.realPath(folder), path)
}

/** The only path of a tool that has one. */
export function onlyOne(places: readonly ToolPath[]): ToolPath {
  const [place] = places
  if (!place) throw new ToolFailure('there is no path')
  return place
}

async function endOf(path: string, place: ProjectFiles): Promise<string> {
  try {
    return await place.realPath(path)
  } catch {
    // It does not exist as a whole: one name after the other.
    return followLinks(path, place)
  }
}

/** @throws ToolFailure where the call leaves the folder and may not. */
export async function checkInside(
  place: ToolPath,
  { folder, files, mayLeaveFolder }: Pick<ToolRunContext, 'folder' | 'files'> & Pick<ToolRunOptions, 'mayLeaveFolder'>,
): Promise<void> {
  if (mayLeaveFolder === true || !(await isOutside(place, folder, files))) return
  throw new ToolFailure(`${place.named} is outside of the working folder`)
}

async function followLinks(path: string, { linkTarget }: ProjectFiles): Promise<string> {
  const { root } = parse(path)
  let current = root
  let rest = partsOf(path.slice(root.length))
  for (let links = 0; rest.length > 0;) {
    const [name = '', ...after] = rest
    rest = after
    if (name === '..') {
      current = dirname(current)
      continue
    }
    const next = join(current, name)
    const target = await linkTarget(next)
    if (target === null) {
      current = next
      continue
    }
    links += 1
    if (links > MOST_LINKS) throw new ToolFailure(`open ${path}: too many levels of symbolic links`)
    const start = parse(target).root
    if (start !== '') current = resolve(current, start)
    rest = [...partsOf(target.slice(start.length)), ...rest]
  }
  return current
}

const partsOf = (path: string): string[] => path.split(sep).filter(part => part !== '' && part !== '.')
