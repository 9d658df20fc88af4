import { removeProtoAccessor } from './kernel/base/harden.ts'
import { serveThread } from './kernel/threads/thread-serve.ts'
import { threadTasks } from './thread-tasks.ts'

removeProtoAccessor()
serveThread(threadTasks)
