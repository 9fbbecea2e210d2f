/** The key that the simulated sessions are paid with, and that may stand nowhere. */
export const KEY = "sk-ant-simulated-key-0123456789";
