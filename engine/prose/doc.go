// Package prose cuts plain text of any language of the service into its sentences. engine/fake and engine/writer, which make sentences up
// and quote them, share it; models that read whole texts need none of it. Begin with [Cut].
package prose
