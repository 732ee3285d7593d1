"""The shell language: lexer, parser, expansion and interpreter, after the mksh that Android ships."""
