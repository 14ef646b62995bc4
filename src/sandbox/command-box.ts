/** How a shell is started in a box. */
import process from 'node:process'
import type { CommandBox } from '../platform/shell/run.ts'
import type { BoxMaker } from './box-maker.ts'
import { inheritedDescriptors } from './inherited.ts'
import { seccompFilter } from './seccomp.ts'

type Bubblewrap = Extract<BoxMaker, { kind: 'bubblewrap' }>
type Seatbelt = Extract<BoxMaker, { kind: 'seatbelt' }>

type Contents = {
  /** The arguments of bubblewrap, without those for file descriptors. */
  policy: readonly string[]
  sockets: boolean
  env: NodeJS.ProcessEnv
  /** A program before all others, with its arguments: it enters the network of the box. */
  enter?: readonly string[]
}

/** The descriptors of the arguments and of the filter. */
const ARGUMENTS = 3
const FILTER = 4

export function bubblewrapBox(maker: Bubblewrap, { policy, sockets, env, enter = [] }: Contents): CommandBox {
  const [file, ...args] = [...enter, maker.unshare]
  return {
    file,
    args: [...args, ...ALONE, maker.file, '--args', String(ARGUMENTS), '--seccomp', String(FILTER), '--'],
    withheld: inheritedDescriptors(),
    inputs: [Buffer.from(policy.map(each => `${each}\0`).join('')), seccompFilter(maker.processor, { sockets })],
    env,
  }
}

export function seatbeltBox(maker: Seatbelt, profile: string, env: NodeJS.ProcessEnv): CommandBox {
  return { file: maker.file, args: ['-p', profile], inputs: [], withheld: [], env }
}

/**
 * What the system mounts later does not appear in the box: bubblewrap alone takes over such mounts, and they could be written. Root needs no
 * namespace of users for that.
 */
const ALONE =
  process.getuid?.() === 0
    ? ['--mount', '--propagation', 'private', '--']
    : ['--user', '--map-current-user', '--mount', '--propagation', 'private', '--']
