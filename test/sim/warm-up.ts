/** What the program loads when it first needs it, loaded before: how long that takes is no part of a simulated course. */
import "@anthropic-ai/sdk/client";
import "@anthropic-ai/sdk/core/streaming";
import "bun:ffi";
import "diff";
import "yaml";
