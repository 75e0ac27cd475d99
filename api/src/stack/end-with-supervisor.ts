/**
 * Loaded into each part before its entry (`node --import`): when the supervisor
 * is gone, however it went, the channel to it closes and the part stops as if it
 * had been asked to.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The listener must not keep a part alive that has finished its work.
process.channel?.unref()
