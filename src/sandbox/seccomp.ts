/**
 * A filter for system calls, as a program of classic BPF for seccomp(2): what a box must not do that no mount and no namespace prevents. A
 * call that is refused fails with EPERM, so a program can say what it could not do.
 */

/** A processor whose system calls are known here. */
export type Processor = 'x64' | 'arm64'

type Numbers = {
  /** AUDIT_ARCH of the processor: the numbers of another one mean other calls. */
  audit: number
  ioctl: number
  /** Never: keys of the person, other processes, ways around the file system, and interfaces that the filter cannot see into. */
  never: readonly number[]
  /** socket, socketpair. */
  sockets: readonly number[]
}

/** Numbers that both have in common: pidfd_getfd, io_uring_setup, io_uring_enter, io_uring_register, process_madvise. */
const COMMON = [438, 425, 426, 427, 440]

const processors: Readonly<Record<Processor, Numbers>> = {
  x64: {
    audit: 0xc0_00_00_3e,
    ioctl: 16,
    // add_key, request_key, keyctl, ptrace, process_vm_readv, process_vm_writev, open_by_handle_at, userfaultfd, bpf, perf_event_open
    never: [...COMMON, 248, 249, 250, 101, 310, 311, 304, 323, 321, 298],
    sockets: [41, 53],
  },
  arm64: {
    audit: 0xc0_00_00_b7,
    ioctl: 29,
    never: [...COMMON, 217, 218, 219, 117, 270, 271, 265, 282, 280, 241],
    sockets: [198, 199],
  },
}

/** Requests of ioctl(2) that type into a terminal: TIOCSTI, TIOCLINUX. */
const TYPING = [0x54_12, 0x54_1c]

/** On x86-64 the numbers from here on are those of another interface (x32) for the same calls. */
const X32 = 0x40_00_00_00

// Instructions, and the offsets of `struct seccomp_data`.
const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const RETURN = 0x06
const NUMBER = 0
const AUDIT = 4
/** The low half of the second argument: ioctl takes no more of it. */
const REQUEST = 24

const ALLOW = 0x7f_ff_00_00
const REFUSE = 0x00_05_00_00 | 1
const KILL = 0x80_00_00_00

/** The first argument: of socket, the family. */
const FIRST = 16

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others, such as those of virtual machines (AF_VSOCK), know no namespaces. */
const FAMILIES = [1, 2, 10, 16]

type Instruction = { code: number; ifTrue?: number; ifFalse?: number; value: number }

export const isProcessor = (name: string): name is Processor => name === 'x64' || name === 'arm64'

/** Refuses sockets of other families. */
function familiesOnly(socketCall: number): Instruction[] {
  const allowed = FAMILIES.map((value, at) => ({ code: IF_EQUAL, ifTrue: FAMILIES.length - at, value }))
  return [
    { code: IF_EQUAL, ifFalse: FAMILIES.length + 3, value: socketCall },
    { code: LOAD, value: FIRST },
    ...allowed,
    { code: RETURN, value: REFUSE },
    { code: RETURN, value: ALLOW },
  ]
}

/** The filter as the bytes that bubblewrap's `--seccomp` reads. Both processors are little-endian. */
export function seccompFilter(processor: Processor, { sockets }: { sockets: boolean }): Uint8Array {
  const { audit, ioctl, never, sockets: socketCalls } = processors[processor]
  const [socketCall = 0] = socketCalls
  const refused = sockets ? never : [...never, ...socketCalls]
  const program: Instruction[] = [
    { code: LOAD, value: AUDIT },
    { code: IF_EQUAL, ifTrue: 1, value: audit },
    { code: RETURN, value: KILL },
    { code: LOAD, value: NUMBER },
    { code: IF_AT_LEAST, ifFalse: 1, value: X32 },
    { code: RETURN, value: REFUSE },
    ...refused.flatMap(number => [
      { code: IF_EQUAL, ifFalse: 1, value: number },
      { code: RETURN, value: REFUSE },
    ]),
    ...(sockets ? familiesOnly(socketCall) : []),
    { code: IF_EQUAL, ifTrue: 1, value: ioctl },
    { code: RETURN, value: ALLOW },
    { code: LOAD, value: REQUEST },
    ...TYPING.flatMap(request => [
      { code: IF_EQUAL, ifFalse: 1, value: request },
      { code: RETURN, value: REFUSE },
    ]),
    { code: RETURN, value: ALLOW },
  ]
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  program.forEach(({ code, ifTrue = 0, ifFalse = 0, value }, at) => {
    bytes.setUint16(at * 8, code, true)
    bytes.setUint8(at * 8 + 2, ifTrue)
    bytes.setUint8(at * 8 + 3, ifFalse)
    bytes.setUint32(at * 8 + 4, value, true)
  })
  return new Uint8Array(bytes.buffer)
}
