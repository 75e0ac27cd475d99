/**
 * Loaded into each part before its entry (`node --import`). When the supervisor ends, for whatever
 * reason, the channel to it closes and the part stops as if it had been asked to.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The listener must not keep a part alive that has finished its work.
process.channel?.unref()
