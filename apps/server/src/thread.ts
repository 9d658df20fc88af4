import { serveThread } from './kernel/jobs/thread-serve.ts'
import { threadTasks } from './thread-tasks.ts'

serveThread(threadTasks)
