/** `run` runs once, in a microtask, however often the result is called before that. */
export function oncePerTick(run: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      run()
    })
  }
}
