import { serveThread } from '../../threads/thread-serve.ts'
import { scanVectors } from '../scan-task.ts'

serveThread([scanVectors])
