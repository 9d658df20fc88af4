/** A WebSocket that tells when it opens and closes, for the dot that says how live the page is. */
type Told = (open: boolean) => void

const listeners = new Set<Told>()

export function onSocket(listener: Told): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const tell = (open: boolean): void => {
  for (const listener of listeners) listener(open)
}

class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url)
    this.addEventListener('open', () => tell(true))
    this.addEventListener('close', () => tell(false))
  }
}

export const watchedSocket = WatchedSocket
