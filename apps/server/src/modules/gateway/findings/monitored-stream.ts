/** Stored with the steps that failed open: no text of the answer waited for its inspection. */
export const monitoredStream = 'monitored_stream'
