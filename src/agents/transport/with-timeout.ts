/** Awaits the promise for at most `limit` milliseconds, else returns `timed out`. The promise itself is not cancelled. */
export async function withTimeout<Value>(limit: number, promise: Promise<Value>): Promise<Value | 'timed out'> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timed out'>(resolve => {
    timer = setTimeout(resolve, limit, 'timed out')
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
