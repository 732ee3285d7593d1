"""The keyboard's knowledge: layouts of keys and Pinyin."""
