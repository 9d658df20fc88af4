// First: packages that are imported below read the nonce when they add a style.
import './api/nonce'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/charts.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SessionProvider } from './api/session'
import { router } from './app/router'
import { startTheme } from './ui/theme'

startTheme()
// The client retries what may be retried; a refusal is shown at once.
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
})

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
