/** However often the result is called in one turn of the event loop, `run` runs once, at its end. */
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
