import { useEffect, useState } from 'react'
import { tokenIn } from './token'

/** The secret behind the # of this page's address, which is taken out of it at once: it is in no history and no bookmark. */
export function useLinkToken(): readonly [string, (text: string) => void] {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname)
    // Another link that is opened in the same tab begins the page anew.
    const again = (): void => location.reload()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  return [token, setToken]
}
