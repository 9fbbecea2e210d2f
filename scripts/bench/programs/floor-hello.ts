/** The least that a program compiled with our flags can do. */
console.log("hello");
